import { calibrate } from '../../src/certificate/calibrate.ts'
import type { LoadOptions } from '../../src/certificate/file/load-certificate.ts'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import type { StateFunction } from '../../src/states/state-function.ts'
import { drawCalibration } from '../knn/arbitrary-calibration.ts'
import { simulatedDebates } from './simulated-debates.ts'

const budget = { beta: 0.4, delta: 0.05, epsilon: 0.02, deltaOmega: 0.01 }
const split = { pilotFraction: 0.5, seed: 7 }
const names = ['__proto__', 'constructor', 'x']
const groups = ['__proto__', 'law', null]
const many = simulatedDebates({ count: 820, seed: 21, agents: names, options: names, groups })
const few = many.slice(0, 120)
const weights = JSON.parse('{"__proto__":2,"x":0.7}')
const knn = { budget, split, kFamily: [5, 20] } as const
const depth: StateFunction = (prefix) => [prefix.at(-1)!.p1, prefix.length]

const calibration = drawCalibration({ seed: 6, rows: 60, dimension: 2, rounds: 2, kind: 'continuous' })

/** Debates that no certificate below has seen. */
export const FRESH = simulatedDebates({
  count: 25,
  seed: 22,
  agents: names,
  options: names,
  groups: [...groups, 'unseen'],
})

/** States for queries to the certificate that was fitted from states. */
export const { queries: STATES } = calibration
export const GROUPS = [undefined, '__proto__', 'b', 'unseen']

/** One certificate of every kind, and what loading it needs. */
export const CERTIFICATES = {
  'from states': fitCertificate(
    { ...calibration, groups: calibration.rounds[0]!.correct.map((_, row) => ['__proto__', 'b'][row % 2]!) },
    { ...knn, profile: 'tight', envelope: { holder: [0.3, 0.5] }, groupLevel: 'simultaneous' },
  ),
  paper: calibrate(few, { ...knn, profile: 'paper', beliefs: 'vote', seed: 5 }),
  'support path': calibrate(few, { ...knn, profile: 'tight', weights, models: { x: 'model-1' }, prompts: 'p' }),
  learned: calibrate(many, { ...knn, profile: 'tight', envelope: 'mean-modulus', smoother: 'isotonic' }),
  'own state': calibrate(few, { ...knn, profile: 'tight', state: { name: 'depth', of: depth } }),
  groups: calibrate(few, { ...knn, profile: 'tight', groupConditional: true, groupLevel: 'simultaneous' }),
  'path cells': calibrate(many, { budget, split, profile: 'cells', cells: 'path', weights }),
  'nominate cells': calibrate(few, { budget, split, profile: 'cells', cells: 'nominate' }),
  'cells by group': calibrate(few, { budget, split, profile: 'cells', groupConditional: true }),
  total: calibrate(many, { budget, split, profile: 'total', weights }),
  'total by group': calibrate(many, { budget, split, profile: 'total', groupConditional: true }),
  'total without a floor': calibrate(few, {
    budget: { ...budget, total: { kind: 'average', floor: 'none', delta: 0.1, attempt: 2 } },
    split,
    profile: 'total',
    deferredGroups: ['law'],
  }),
  'total with runs': calibrate(
    many.map((debate, row) => ({ ...debate, question_of: `question ${row % 500}` })),
    { budget, split, profile: 'total' },
  ),
}
export type CertificateName = keyof typeof CERTIFICATES
export const KINDS = Object.keys(CERTIFICATES) as CertificateName[] // keys forgets the names

export function loadOptionsOf(name: CertificateName): LoadOptions {
  return name === 'own state' ? { state: depth } : {}
}

import { canonicalJson } from '@quorate/certificate'
import type { CertificateView } from 'quorate/contract'

export interface ComparedField {
  readonly name: string
  readonly values: readonly [unknown, unknown]
  /** `unknown`: at least one certificate lacks the field, so nothing can be compared. */
  readonly kind: 'same' | 'differs' | 'unknown'
}

/** Compares everything that a decision could depend on. The creation time does not count as a difference. */
export function comparedFields(left: CertificateView, right: CertificateView): readonly ComparedField[] {
  const [first, second] = [fieldsOf(left), fieldsOf(right)]
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])]
  return names.map((name) => {
    const values = [first[name] ?? null, second[name] ?? null] as const
    return { name, values, kind: kindOf(...values) }
  })
}

function kindOf(left: unknown, right: unknown): ComparedField['kind'] {
  if (left === null || right === null) return 'unknown'
  return canonicalJson(left) === canonicalJson(right) ? 'same' : 'differs'
}

function fieldsOf(view: CertificateView): Record<string, unknown> {
  const { profile, kind, labels, rounds, budget, fingerprint, promise } = view
  const { beta, delta } = budget
  const promised = promise === null ? budget : { beta, delta, floor: promise.floor ?? 'none' }
  return { profile, kind, labels, ...promised, ...fingerprint, rounds }
}

/** Display names of the fields. */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  at: 'Made',
  profile: 'Profile',
  kind: 'Kind',
  labels: 'Labels',
  rounds: 'Rounds',
  beta: 'beta',
  alpha: 'alpha',
  delta: 'delta',
  floor: 'Floor',
  epsilon: 'epsilon',
  threshold: 'Threshold',
  models: 'Models',
  prompts: 'Prompts (digest)',
  agents: 'Agents',
  panels: 'Panels',
  elicitation: 'Beliefs',
  endsEarly: 'Debates end early',
  turns: 'Turns of the calibration',
  settings: 'Settings',
  reader: 'Reader of answers',
  state: 'State',
  methodVersion: 'Method version',
  rows: 'Calibration rows (digest)',
}

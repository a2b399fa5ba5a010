import type { Debate } from '../src/beliefs/debate.ts'
import { calibrate } from '../src/certificate/calibrate.ts'
import { readDebates } from '../src/certificate/read-debates.ts'
import { decide } from '../src/decision/decide.ts'
import { replay } from '../src/decision/replay.ts'
import { seededRandom } from '../src/random.ts'
import { drawDebates } from './draw-debates.ts'
import { measureMedian, reportMedian } from './measure.ts'

/** The `total` profile on simulated debates of three agents over four rounds: calibrate, replay at a new beta, decide. */
const random = seededRandom(3)
const BUDGET = { beta: 0.1, delta: 0.05, epsilon: 0 }

const fit = (debates: readonly Debate[]) => calibrate(debates, { profile: 'total', budget: BUDGET })

for (const [rows, goalMs] of [
  [10_000, null],
  [100_000, 30_000],
] as const) {
  const debates = drawDebates(random, rows, 'labelled')
  const timing = measureMedian(() => fit(debates).rounds)
  reportMedian(`calibrate, ${rows.toLocaleString('en')} debates x 4 rounds`, timing, { unit: 's', goalMs })
}

const certificate = fit(drawDebates(random, 10_000, 'labelled'))
const stored = drawDebates(random, 10_000, 'stored')
const again = replay(certificate, readDebates(stored))
let step = 0
const newBeta = () => 0.05 + ((step++ * 0.0137) % 0.1)
const counted = ({ actedAt }: { readonly actedAt: Uint8Array }) => actedAt.reduce((sum, round) => sum + round, 0)
reportMedian(
  'a new beta over 10,000 stored debates',
  measureMedian(() => counted(again.at({ ...BUDGET, beta: newBeta() }))),
  { unit: 'ms', goalMs: null },
)

/**
 * Decides as a server does: on the unparsed debate, after its first round and after its last. Several passes warm up
 * the engine.
 */
const PASSES = 4
for (const rounds of [1, 4]) {
  const asked = stored.map((debate) => ({ ...debate, rounds: debate.rounds.slice(0, rounds) }))
  const timing = measureMedian(() => {
    let acted = 0
    for (let pass = 0; pass < PASSES; pass++) {
      for (const debate of asked) if (decide(certificate, debate).kind === 'act') acted++
    }
    return acted
  })
  const calls = PASSES * asked.length
  reportMedian(`decide, ${rounds} of 4 rounds, per call`, timing, { unit: 'us', goalMs: 0.05, calls })
}

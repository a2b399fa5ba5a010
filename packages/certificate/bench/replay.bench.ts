import { calibrate } from '../src/certificate/calibrate.ts'
import { readDebates } from '../src/certificate/read-debates.ts'
import { replay } from '../src/decision/replay.ts'
import { seededRandom } from '../src/random.ts'
import { drawDebates } from './draw-debates.ts'
import { measure, report } from './measure.ts'

/** Replays stored debates: 10,000 simulated debates of three agents over four rounds. */
const random = seededRandom(3)

const labelled = readDebates(drawDebates(random, 5_000, 'labelled'))
const stored = readDebates(drawDebates(random, 10_000, 'stored'))
const budget = { beta: 0.15, delta: 0.03, epsilon: 0.02 }

for (const profile of ['paper', 'tight', 'cells'] as const) {
  const again = replay(calibrate(labelled, { profile, budget }), stored)
  let step = 0
  const moved = () => 0.1 + ((step++ * 0.0137) % 0.2)
  const acted = ({ actedAt }: { actedAt: Uint8Array }) => actedAt.reduce((sum, round) => sum + round, 0)
  again.at(budget)
  report(
    `10,000 debates at a new beta, ${profile}`,
    measure(() => acted(again.at({ ...budget, beta: moved() })), 20),
    1,
    5_000,
  )
  report(
    `10,000 debates at a new delta, ${profile}`,
    measure(() => acted(again.at({ ...budget, delta: moved() / 10 })), 20),
    1,
    50_000,
  )
  report(
    `10,000 debates at a new epsilon, ${profile}`,
    measure(() => acted(again.at({ ...budget, epsilon: moved() / 10 })), 20),
    1,
    50_000,
  )
}

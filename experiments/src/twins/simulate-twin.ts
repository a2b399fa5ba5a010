/**
 * Twins are seeded simulators of soft-belief debates whose aggregates match what the paper prints about six benchmarks.
 * They are simulated, and must be called so wherever one of their numbers is shown.
 *
 *   simulateTwin('mmlu-pro', { seed: 7, beliefs: 'soft' })                 8,312 debates, as many as the benchmark has
 *   simulateTwin('gpqa', { seed: 7, beliefs: 'vote', count: 4000 })        answers only, 4,000 debates
 *   simulateTwin('bbh', { seed: 7, beliefs: 'soft', lateAgreement: 0.5 })  one assumption broken, for audits
 *
 * The names are logiqa, mmlu-pro, arc, bbh, musr and gpqa. A debate has three agents, four rounds and an id such as
 * `twin-arc-00001`. Its `group` is a subgroup of MMLU-Pro, BBH or MuSR, else null. `soft` turns state a confidence for their
 * answer in steps of .05 (`conf.verbal`); `vote` turns are the same debates without it. Without knobs (see knobs.ts) questions
 * are independent draws. A smaller count gives the first debates of a larger one, unless they drift.
 */
import type { Debate } from '@quorate/certificate'
import { drawDebates, type TwinOptions } from './draw-debates.ts'
import { PARAMETERS } from './parameters.ts'
import type { TwinName } from './targets.ts'

export { TWIN_ROUNDS, type TwinOptions } from './draw-debates.ts'

/** Labelled debates of the twin of a benchmark, in the interchange format. */
export function simulateTwin(name: TwinName, options: TwinOptions): Debate[] {
  return drawDebates(name, PARAMETERS[name], options)
}

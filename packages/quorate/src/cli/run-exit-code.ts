import { isEarlyStop } from '../debate/ask.ts'
import type { RunResult } from '../run/run-to-end.ts'
import { EXIT, type ExitCode } from './exit-code.ts'

/** The parts of a result that determine the exit code. */
type Ended = Pick<RunResult, 'halt' | 'tally'>

/** For `debate`, a failed debate is an error, because it has no other result. */
export function debateExitCode({ halt, tally: { statuses } }: Ended): ExitCode {
  if (halt === 'interrupted') return EXIT.interrupted
  if (isEarlyStop(halt)) return EXIT.error
  if (statuses['agent-failure'] + statuses['time-out'] + statuses.error > 0) return EXIT.error
  return halt === 'spend-cap' ? EXIT.spendCap : EXIT.ok
}

/** For `decide`, a failed debate is not an error, because its question is deferred. */
export function decideExitCode(
  { halt, tally }: Ended,
  { canAct, failOnDefer }: { readonly canAct: boolean; readonly failOnDefer: boolean },
): ExitCode {
  if (halt === 'interrupted') return EXIT.interrupted
  if (isEarlyStop(halt)) return EXIT.error
  if (tally.statuses.error > 0) return EXIT.error
  if (halt === 'spend-cap') return EXIT.spendCap
  if (!canAct) return EXIT.infeasible
  return failOnDefer && Object.keys(tally.deferred).length > 0 ? EXIT.deferred : EXIT.ok
}

import type { DebateRecord, RoundSummary } from '../beliefs/debate.ts'
import { CertificateError } from '../certificate-error.ts'
import {
  fitLearnedScore,
  type LearnedScore,
  learnedLogOdds,
  type PilotRow,
  ROWS_FOR_ALL_FEATURES,
} from '../states/learned-state.ts'
import { namedState, type StateName } from '../states/named-states.ts'
import type { StateFunction } from '../states/state-function.ts'

/** Which numbers stand for a debate; `learned` is fitted on pilot rows, a function is the user's own. */
export type StateChoice = StateName | 'learned' | { readonly name: string; readonly of: StateFunction }

/** The state of one round, as a certificate stores it. */
export type RoundState =
  | { readonly kind: 'named'; readonly name: StateName }
  | { readonly kind: 'learned'; readonly score: LearnedScore }
  | { readonly kind: 'custom'; readonly name: string }

/** Null when the panel is not the one that was calibrated. */
export function stateAt(
  state: RoundState,
  custom: StateFunction | null,
  prefix: readonly RoundSummary[],
  record: DebateRecord,
): readonly number[] | null {
  if (state.kind === 'named') return namedState(state.name)(prefix, record)
  if (state.kind === 'learned') {
    const logOdds = learnedLogOdds(state.score, prefix, record.group)
    return logOdds === null ? null : [logOdds]
  }
  if (custom === null)
    throw new CertificateError('decide', 'state', `the function "${state.name}" given to loadCertificate`, null)
  return custom(prefix, record)
}

/** A learned state needs 400 pilot rows and both kinds of label; short of that the round remembers its support path. */
export function chooseRoundState(choice: StateChoice, pilot: () => readonly PilotRow[]): RoundState {
  if (typeof choice === 'object') return { kind: 'custom', name: choice.name }
  if (choice !== 'learned') return { kind: 'named', name: choice }
  const rows = pilot()
  const score = rows.length >= ROWS_FOR_ALL_FEATURES ? fitLearnedScore(rows, true) : null
  return score ? { kind: 'learned', score } : { kind: 'named', name: 'support-path' }
}

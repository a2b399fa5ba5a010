import type { DebateRecord, RoundSummary } from '../beliefs/debate.ts'
import { CertificateError, quoted } from '../certificate-error.ts'
import { isCoordinate } from '../knn/calibration-rows.ts'
import { type LearnedScore, learnedLogOdds, ROWS_FOR_ALL_FEATURES } from '../states/learned-state.ts'
import { namedState, type StateName } from '../states/named-states.ts'
import type { StateFunction } from '../states/state-function.ts'

/** Which numbers represent a debate. `learned` is fitted on pilot rows; a function is supplied by the user. */
export type StateChoice = StateName | 'learned' | { readonly name: string; readonly of: StateFunction }

/** The state of one round, as a certificate stores it. */
export type RoundState =
  | { readonly kind: 'named'; readonly name: StateName }
  | { readonly kind: 'learned'; readonly score: LearnedScore }
  | { readonly kind: 'custom'; readonly name: string }

const UNLABELLED = { gold: null, truth: null, audits: null } as const

/** Null if the panel is not the calibrated one. */
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
  // The function does not get the label or later rounds: a state that depended on them would invalidate every bound.
  const values: unknown = custom(prefix, { ...record, ...UNLABELLED, rounds: record.rounds.slice(0, prefix.length) })
  if (Array.isArray(values) && values.length > 0 && values.every(isCoordinate)) return values
  throw new CertificateError(
    `state ${quoted(state.name)}`,
    `its value for ${quoted(record.id)}`,
    'an array of one finite number or more',
    values,
  )
}

/** A learned state needs 400 pilot rows and labels of both classes. Otherwise the round uses `support-path`. */
export function chooseRoundState(choice: StateChoice, pilotRows: number, fit: () => LearnedScore | null): RoundState {
  if (typeof choice === 'object') return { kind: 'custom', name: choice.name }
  if (choice !== 'learned') return { kind: 'named', name: choice }
  const score = pilotRows >= ROWS_FOR_ALL_FEATURES ? fit() : null
  return score ? { kind: 'learned', score } : { kind: 'named', name: 'support-path' }
}

import type { Fingerprint } from '@quorate/certificate'
import type { VerdictFigures } from '../../../contract/decisions.ts'
import { debateSchema, type Failure } from '../../../record/debate.ts'
import { findStored } from '../../../record/parse-stored.ts'
import type { StoredDebate } from '../../../store/store.ts'

/** What is known about a deferral besides its reason. */
export interface DeferralFacts {
  readonly fingerprint: Pick<Fingerprint, 'agents' | 'rounds'> | null
  /** Names of the agents of each debated round. */
  readonly agents: readonly (readonly string[])[]
  /** Fields in which the panel differs from the calibrated one. */
  readonly mismatch: readonly string[]
  readonly failure: Failure | null
}

/** The figures with a sentence for the person who can fix the cause, if it is known. */
export function withDetail(figures: VerdictFigures, facts: DeferralFacts): VerdictFigures {
  const detail = detailOf(figures, facts)
  return detail === null ? figures : { ...figures, detail }
}

/** Why a stored debate failed; null: it did not, or the reason is not recorded. */
export function failureOf(debate: StoredDebate | null): Failure | null {
  return findStored(failureSchema, debate?.debate ?? null)?.failure ?? null
}

const failureSchema = debateSchema.pick({ failure: true })

/** The names of the agents in each round, read from unvalidated rounds. */
export function agentsOf(
  rounds: readonly (readonly Readonly<Record<string, unknown>>[])[],
): readonly (readonly string[])[] {
  return rounds.map((turns) =>
    turns.flatMap((turn) => {
      const name = turn['agent']
      return typeof name === 'string' ? [name] : []
    }),
  )
}

function detailOf({ reason, path }: VerdictFigures, facts: DeferralFacts): string | null {
  if (reason === 'agent-failure') return facts.failure === null ? null : failureText(facts.failure)
  return reason === 'uncalibrated' ? uncalibratedText(path.length + 1, facts) : null
}

function failureText({ agent, round, reason }: Failure): string {
  const who = typeof agent === 'string' ? `agent ${agent}` : 'an agent'
  const when = typeof round === 'number' ? ` in round ${round}` : ''
  const why = typeof reason === 'string' ? `: ${reason}` : ''
  return `${who} failed${when}${why}`
}

/** `round` is the round that could not be assessed. */
function uncalibratedText(round: number, { fingerprint, agents, mismatch }: DeferralFacts): string {
  const [calibrated, here] = [fingerprint?.agents?.[round - 1], agents[round - 1]]
  if (fingerprint !== null && here !== undefined && round > fingerprint.rounds) {
    return `the certificate is for debates of ${fingerprint.rounds} rounds, but this one has round ${round}`
  }
  if (calibrated !== undefined && here !== undefined && !isSame(calibrated, here)) {
    return `the certificate is for the agents ${named(calibrated)}, but round ${round} has ${named(here)}`
  }
  if (mismatch.length > 0) return `the panel is not the calibrated one: it differs in ${mismatch.join(', ')}`
  return 'the debate is not of the kind that the certificate was made from'
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  const names = new Set(left)
  return left.length === right.length && right.every((name) => names.has(name))
}

const MOST_NAMES = 12

function named(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`
}

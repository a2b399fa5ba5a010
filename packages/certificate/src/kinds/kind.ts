import type { RoundSummary } from '../beliefs/debate.ts'

/**
 * The kind of a debate after a round: the round, how far the panel agrees, and whether its answer ever changed. Rates
 * are judged by kind because totals can mislead: a panel may be right 95 % of the time and still guess on every tie.
 *
 * A kind is a small integer, so typed arrays can store it. `describeKind` gives its parts.
 */
export type KindCode = number

export const AGREEMENTS = ['unanimous', 'some-abstain', 'two-thirds', 'under-two-thirds'] as const

/**
 * `unanimous`: every agent voted for the panel's answer. `some-abstain`: no agent voted otherwise, and at least one did
 * not vote. `two-thirds`: some agents voted otherwise, and at least two thirds of all agents voted for the answer.
 * `under-two-thirds`: fewer did.
 */
export type Agreement = (typeof AGREEMENTS)[number]

export interface Kind {
  /** From 1. */
  readonly round: number
  readonly agreement: Agreement
  /** Whether an earlier round settled another answer. */
  readonly hasChanged: boolean
}

/** Kinds of one round: four agreements, each with the answer changed or not. */
export const KINDS_PER_ROUND = 2 * AGREEMENTS.length

/** The kind of the round that `summary` summarises; `round` counts from 1. */
export function kindOf(summary: RoundSummary, round: number): KindCode {
  return kindCode({ round, agreement: agreementOf(summary), hasChanged: summary.hasEverChanged })
}

export function kindCode({ round, agreement, hasChanged }: Kind): KindCode {
  return ((round - 1) * AGREEMENTS.length + AGREEMENTS.indexOf(agreement)) * 2 + Number(hasChanged)
}

export function describeKind(code: KindCode): Kind {
  return {
    round: roundOfKind(code),
    agreement: AGREEMENTS[(code >> 1) % AGREEMENTS.length]!,
    hasChanged: code % 2 === 1,
  }
}

/** From 1. */
export function roundOfKind(code: KindCode): number {
  return Math.floor(code / KINDS_PER_ROUND) + 1
}

/** Display texts. */
export const AGREEMENT_WORDS: Readonly<Record<Agreement, string>> = {
  unanimous: 'unanimous',
  'some-abstain': 'no dissent, some abstain',
  'two-thirds': 'split, at least 2/3 agree',
  'under-two-thirds': 'split, under 2/3 agree',
}

/** Display name, for example "round 1, unanimous, answer never changed". */
export function kindName(code: KindCode): string {
  const { round, agreement, hasChanged } = describeKind(code)
  return `round ${round}, ${AGREEMENT_WORDS[agreement]}, answer ${hasChanged ? 'changed' : 'never changed'}`
}

function agreementOf({ disagreement, abstentions }: RoundSummary): Agreement {
  if (disagreement === 0) return abstentions === 0 ? 'unanimous' : 'some-abstain'
  return 1 - disagreement - abstentions > 2 / 3 - 1e-9 ? 'two-thirds' : 'under-two-thirds'
}

/**
 * Why a round is excluded, whatever its labels. `no-vote`: no agent voted. `tie`: a hash chose the answer. `no-news`:
 * every agent believes exactly what it believed a round ago, so the round adds nothing. The profile `paper` excludes only
 * `no-vote`, as printed.
 */
export type Exclusion = 'no-vote' | 'tie' | 'no-news'

/** Null if the round is not excluded. */
export function exclusionOf({ abstentions, isTied, hasNews }: RoundSummary): Exclusion | null {
  if (abstentions >= 1) return 'no-vote'
  if (isTied) return 'tie'
  return hasNews ? null : 'no-news'
}

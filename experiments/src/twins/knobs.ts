import type { Random } from '@quorate/certificate'
import { LURE } from './latent-model.ts'
import type { TwinTarget } from './targets.ts'

/** Settings that audits use to break one assumption at a time; all 0 by default. */
export interface Knobs {
  /**
   * Probability that a debate without a unanimous first round is persuaded of its lure. From round 2, 3 or 4 on all
   * agents answer it, as sure as in a debate on another such question that agreed from the start. Late agreement then
   * has exactly the states of early agreement, but is worth far less.
   */
  readonly lateAgreement: number
  /**
   * Probability that another option is right than the one that the agents' evidence pointed to, in the shifted
   * subgroups (every second one of the target's list). What they say is the same to the last bit, but true less often.
   */
  readonly groupShift: number
  /** Clarity (log-odds of the truth) that the last question of the file has lost compared with the first; at least 0. */
  readonly drift: number
}

export const NO_KNOBS: Knobs = Object.freeze({ lateAgreement: 0, groupShift: 0, drift: 0 })

/** What agents said about one question, with options by index, the truth first. */
export interface Spoken {
  /** Index of the option that counts as right. */
  readonly gold: number
  readonly rounds: readonly (readonly Statement[])[]
}

export interface Statement {
  readonly option: number
  readonly confidence: number
}

/** Random numbers for the knobs of one question, from their own stream, so that a knob changes only what it is for. */
export interface Fate {
  readonly persuasion: number
  readonly persuadedRound: number
  readonly shift: number
  readonly shiftedGold: number
}

export function drawFate(random: Random): Fate {
  return {
    persuasion: random(),
    persuadedRound: random(),
    shift: random(),
    shiftedGold: random(),
  }
}

export function resolveKnobs(options: Partial<Knobs>, { title, subgroups }: TwinTarget): Knobs {
  const knobs = {
    lateAgreement: options.lateAgreement ?? NO_KNOBS.lateAgreement,
    groupShift: options.groupShift ?? NO_KNOBS.groupShift,
    drift: options.drift ?? NO_KNOBS.drift,
  }
  for (const name of ['lateAgreement', 'groupShift'] as const) {
    const value = knobs[name]
    if (!(value >= 0 && value <= 1)) throw new RangeError(`simulateTwin: ${name}: expected in [0, 1], got ${value}`)
  }
  if (!(knobs.drift >= 0 && knobs.drift < Infinity)) {
    throw new RangeError(`simulateTwin: drift: expected a finite number of at least 0, got ${knobs.drift}`)
  }
  if (knobs.groupShift > 0 && subgroups.length === 0) {
    throw new RangeError(`simulateTwin: groupShift: expected 0, ${title} has no subgroups, got ${knobs.groupShift}`)
  }
  return knobs
}

/** Names of the subgroups that `groupShift` touches. */
export function shiftedGroups({ subgroups }: TwinTarget): string[] {
  return subgroups.filter((_, place) => place % 2 === 0).map(({ name }) => name)
}

export interface Touched {
  readonly fate: Fate
  readonly optionCount: number
  readonly isShifted: boolean
  /** Draws the statements of a debate that agrees from its first round to its last. */
  readonly drawAgreed: () => Spoken['rounds']
}

export function applyKnobs(spoken: Spoken, { lateAgreement, groupShift }: Knobs, touched: Touched): Spoken {
  const { fate, optionCount, isShifted, drawAgreed } = touched
  const isPersuaded = fate.persuasion < lateAgreement && !isUnanimous(spoken.rounds[0])
  const isTurned = isShifted && fate.shift < groupShift
  return {
    gold: isTurned ? 1 + Math.floor(fate.shiftedGold * (optionCount - 1)) : spoken.gold,
    rounds: isPersuaded ? persuaded(spoken.rounds, drawAgreed(), fate) : spoken.rounds,
  }
}

export function isUnanimous(round: readonly Statement[] = []): boolean {
  return round.every(({ option }) => option === round[0]?.option)
}

function persuaded(rounds: Spoken['rounds'], agreed: Spoken['rounds'], { persuadedRound }: Fate): Spoken['rounds'] {
  const from = 1 + Math.floor(persuadedRound * (rounds.length - 1))
  const won = agreed.map((round) => round.map((statement) => ({ ...statement, option: LURE })))
  return rounds.map((round, index) => (index < from ? round : won[index]!))
}

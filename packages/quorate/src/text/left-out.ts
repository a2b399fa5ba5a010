import type { BeliefReading, TurnCounts } from '@quorate/certificate'
import { countText } from './number-text.ts'

/** Debates of a file that are left out of every figure. */
export interface LeftOut {
  readonly unlabelled: number
  readonly failed: number
}

/** For example: 12 without a label and 3 that failed left out. Null if none was left out. */
export function leftOutText({ unlabelled, failed }: LeftOut): string | null {
  const parts = [
    ...(unlabelled === 0 ? [] : [`${countText(unlabelled)} without a label`]),
    ...(failed === 0 ? [] : [`${countText(failed)} that failed`]),
  ]
  return parts.length === 0 ? null : `${parts.join(' and ')} left out`
}

/** How the labelled debates of a file were read. */
export interface FileReading extends TurnCounts {
  readonly beliefs: BeliefReading
  /** Questions that the debates ask: runs of one question count once. */
  readonly questions: number
  /** Debates that a person reviewed without naming an option. They are wrong wherever they are acted on. */
  readonly unjudged: number
}

/** What a reader of the figures must know about the file, in sentences; empty if every turn was read as recorded. */
export function readingSentences(reading: FileReading): readonly string[] {
  const { beliefs, answered, missing, renormalised, unjudged } = reading
  return [
    ...(unjudged === 0
      ? []
      : [`${countText(unjudged)} debates that nobody could judge ("cannot tell", "bad question") count as wrong`]),
    ...(missing === 0
      ? []
      : [
          `${countText(missing)} of ${countText(answered)} answers have no ${READ_FROM[beliefs]} and are read as abstentions`,
        ]),
    ...(renormalised === 0
      ? []
      : [`${countText(renormalised)} turns had beliefs that summed to 0.99-1.01 and were renormalised`]),
  ]
}

/** For example: on 400 questions. Empty if every debate asks its own question. */
export function onQuestions(debates: number, { questions }: FileReading): string {
  return questions < debates ? ` on ${countText(questions)} questions` : ''
}

/** What a turn must have to be read. */
export const READ_FROM: Readonly<Record<BeliefReading, string>> = {
  given: 'beliefs',
  stated: 'stated confidence',
  samples: 'samples',
  vote: 'answer',
}

import type { Elicitation } from './elicitation.ts'
import { LOGPROBS } from './logprobs.ts'
import { SAMPLES } from './samples.ts'
import { STATED } from './stated.ts'
import { VOTE } from './vote.ts'

/** Every way of eliciting beliefs, by its name in a config. */
export const ELICITATIONS = {
  vote: VOTE,
  stated: STATED,
  samples: SAMPLES,
  logprobs: LOGPROBS,
} satisfies Readonly<Record<string, Elicitation>>

export type ElicitationName = keyof typeof ELICITATIONS

// as: the keys of a literal
export const ELICITATION_NAMES = Object.keys(ELICITATIONS) as [ElicitationName, ...ElicitationName[]]

/** The elicitations that read open answers, as `vote or stated`. */
export const OPEN_ELICITATIONS = ELICITATION_NAMES.filter((name) => ELICITATIONS[name].readsOpenAnswers).join(' or ')

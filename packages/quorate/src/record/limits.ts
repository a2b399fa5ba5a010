import { LIMITS as DEBATE_LIMITS } from '@quorate/certificate'

/**
 * Limits of a debate and of its files. Every reader uses these: files, the HTTP contract, the config and the published
 * schemas. The limit of options is also that of the labels in a config: one limit for everything that agents choose from.
 */
export const LIMITS = Object.freeze({
  ...DEBATE_LIMITS,
  fewestOptions: 2,
  /** Characters of a question, and of the text of an option or a reply. No panel could read more. */
  text: 200_000,
  /** Characters of the instruction of a task, and of the description of a label. */
  instruction: 20_000,
  /** Characters of an open answer that a reviewer types. */
  typedAnswer: 5000,
  /** Questions of one file. */
  questions: 500_000,
})

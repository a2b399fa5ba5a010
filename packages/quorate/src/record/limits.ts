/**
 * How much one debate may have. Every reader uses these: files, the HTTP contract, the config and the published schemas.
 * `@quorate/certificate` has the same numbers in a reader of its own, and a test compares them.
 */
export const LIMITS = Object.freeze({
  fewestOptions: 2,
  /** Also of the labels that a config may have: one limit for everything that is chosen from. */
  options: 500,
  agents: 64,
  rounds: 64,
  /** Answers of one agent in one round. */
  samples: 1024,
  /** Letters of an id, of a group, and of the name of an option or an agent. */
  name: 1000,
  /** Letters of a question, and of the text of an option or a reply. No panel could be asked more. */
  text: 200_000,
  /** Letters of the instruction of a task, and of the description of a label. */
  instruction: 20_000,
  /** Letters of an open answer that a reviewer types. */
  typedAnswer: 5000,
  /** Questions of one file. */
  questions: 500_000,
})

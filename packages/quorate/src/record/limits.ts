/**
 * Limits of a debate and of its files. Every reader uses these: files, the HTTP contract, the config and the published
 * schemas. `@quorate/certificate` has the same numbers in its own `limits.ts`, and a test compares them.
 */
export const LIMITS = Object.freeze({
  fewestOptions: 2,
  /** Also the limit of the labels in a config: one limit for everything that agents choose from. */
  options: 500,
  agents: 64,
  rounds: 64,
  /** Answers of one agent in one round. */
  samples: 1024,
  /** Turns of a debate times its options. */
  beliefs: 65_536,
  /** Characters of an id, of a group, and of the name of an option or an agent. */
  name: 1000,
  /** Characters of a question, and of the text of an option or a reply. No panel could read more. */
  text: 200_000,
  /** Characters of the instruction of a task, and of the description of a label. */
  instruction: 20_000,
  /** Characters of an open answer that a reviewer types. */
  typedAnswer: 5000,
  /** Questions of one file. */
  questions: 500_000,
})

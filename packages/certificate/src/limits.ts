/** Limits of a debate. Every reader uses these. */
export const LIMITS = Object.freeze({
  options: 500,
  agents: 64,
  rounds: 64,
  /** Answers of one agent in one round. */
  samples: 1024,
  /** Characters of an id, a group or a name. Names are repeated in every table, so a few long ones would fill the output. */
  name: 1000,
  /** Turns times options. Each belief takes 8 bytes, and a short line of input must not allocate much memory. */
  beliefs: 65_536,
})

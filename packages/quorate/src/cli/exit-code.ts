/** If several apply: 1, 40, 30, 31, 20, 10. */
export const EXIT = Object.freeze({
  ok: 0,
  error: 1,
  usage: 2,
  /** Something was deferred, and the caller asked for this exit code (--fail-on-defer). */
  deferred: 10,
  infeasible: 20,
  /** An assumption, or a file that was verified. */
  falsified: 30,
  /** Another version wrote the file that was to be verified, and this one computes other values. */
  unconfirmed: 31,
  spendCap: 40,
  interrupted: 130,
})

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

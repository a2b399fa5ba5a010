/** If several apply, the first of 130, 1, 40, 30, 31, 20, 10 is used. */
export const EXIT = Object.freeze({
  ok: 0,
  error: 1,
  usage: 2,
  /** A question was deferred, and the caller asked for this exit code with `--fail-on-defer`. */
  deferred: 10,
  infeasible: 20,
  /** An audit contradicted an assumption, or a verified file was changed. */
  falsified: 30,
  /** The verified file was written by another version, and this version computes other values. */
  unconfirmed: 31,
  spendCap: 40,
  interrupted: 130,
})

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** If several apply: 1, 40, 30, 20, 10. */
export const EXIT = Object.freeze({ ok: 0, error: 1, usage: 2, infeasible: 20, falsified: 30, interrupted: 130 })

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

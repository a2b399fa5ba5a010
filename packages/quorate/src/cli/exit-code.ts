export const EXIT = Object.freeze({ ok: 0, error: 1, usage: 2 })

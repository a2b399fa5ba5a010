import { randomBytes } from 'node:crypto'
import type { RunWorld } from '../run/run-to-end.ts'
import { timeOrderedIds } from '../store/time-ordered-id.ts'
import { timerSleep } from '../traffic/timer-sleep.ts'

/** Time, randomness and ids. A test passes its own. */
export type PanelWorld = Omit<RunWorld, 'stopping' | 'aborting'>

/** Time, randomness and ids of this process. This is the only place where the library reads a clock. */
export function processWorld(): PanelWorld {
  const elapsed = () => performance.now()
  return { now: Date.now, elapsed, sleep: timerSleep, random: Math.random, newId: createIds(), newSalt, newKey }
}

/** Generates ids that no other process generates. */
export function createIds(): () => string {
  return timeOrderedIds({ now: Date.now, random })
}

export function newSalt(): string {
  return randomBytes(16).toString('hex')
}

/** A secret key with which spot checks are sampled: 32 bytes in hex. */
export function newKey(): string {
  return randomBytes(32).toString('hex')
}

/** Random bytes are generated in advance, because one system call for hundreds of numbers takes as long as for one. */
const POOL_BYTES = 6 * 512
let pool = Buffer.alloc(0)
let used = 0

function random(): number {
  if (used >= pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  used += 6
  return pool.readUIntBE(used - 6, 6) / 2 ** 48
}

import { randomBytes } from 'node:crypto'
import { timeOrderedIds } from '../store/time-ordered-id.ts'

/** Ids that no other process makes. */
export function createIds(): () => string {
  return timeOrderedIds({ now: Date.now, random })
}

export function newSalt(): string {
  return randomBytes(16).toString('hex')
}

/** A secret that spot checks are drawn with: 32 bytes. */
export function newKey(): string {
  return randomBytes(32).toString('hex')
}

/** Drawn ahead: the operating system takes as long for one number as for hundreds. */
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

import { randomBytes } from 'node:crypto'
import { timeOrderedIds } from '../store/time-ordered-id.ts'

/** Ids that no other process makes. */
export function createIds(): () => string {
  return timeOrderedIds({ now: Date.now, random })
}

export function newSalt(): string {
  return randomBytes(16).toString('hex')
}

function random(): number {
  return randomBytes(6).readUIntBE(0, 6) / 2 ** 48
}

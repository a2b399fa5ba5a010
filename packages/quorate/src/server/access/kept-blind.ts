import type { Identity } from './identity.ts'

/**
 * People who signed in are kept blind. Programs must get what they asked for, to act on it; on loopback without a token
 * nobody can tell a program from a person.
 */
export function isKeptBlind({ kind, isLocal }: Identity): boolean {
  return kind === 'human' && !isLocal
}

import type { Identity } from './identity.ts'

/**
 * People who signed in are kept blind, and so are viewers of every kind: they can ask for nothing, so that nothing is kept
 * from them that they would act on. Programs that ask must get their answer; on loopback without a token nobody can tell a
 * program from a person.
 */
export function isKeptBlind({ kind, role, isLocal }: Identity): boolean {
  return (kind === 'human' || role === 'viewer') && !isLocal
}

import type { Role } from '../../contract/session.ts'
import type { Caller } from '../../record/decision.ts'

/** The caller of a request. */
export interface Identity {
  readonly name: string
  readonly role: Role
  readonly kind: 'human' | 'machine'
  /** The request came over loopback without a token, so it is from the person at this machine. */
  readonly isLocal: boolean
}

export const LOCAL: Identity = Object.freeze({ name: 'local', role: 'admin', kind: 'human', isLocal: true })

/**
 * Whether blind items hide the panel's answers from a caller. They do for people who signed in, and for viewers of every kind:
 * a viewer cannot ask questions, so it never needs an answer to act on. Programs that ask must get their answer. On loopback
 * without a token a program cannot be distinguished from a person.
 */
export function isKeptBlind({ kind, role, isLocal }: Identity): boolean {
  return (kind === 'human' || role === 'viewer') && !isLocal
}

/** What the token says about a caller, as records of decisions name it. What a request says is added where it is read. */
export function callerOf({ name }: Identity): Pick<Caller, 'name'> {
  return { name }
}

const RANK = { viewer: 0, reviewer: 1, admin: 2 } as const

export type Permission = { readonly kind: 'granted' } | { readonly kind: 'refused'; readonly why: string }

export function permission(
  identity: Identity,
  route: { readonly role: Role; readonly humanOnly?: boolean },
): Permission {
  if (RANK[identity.role] < RANK[route.role]) {
    return { kind: 'refused', why: `needs the role ${route.role}, but ${identity.name} has the role ${identity.role}` }
  }
  if (route.humanOnly === true && identity.kind === 'machine') {
    return { kind: 'refused', why: 'is for people: a machine token may not decide what is right' }
  }
  return { kind: 'granted' }
}

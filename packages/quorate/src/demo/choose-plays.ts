import type { Decided } from './measure.ts'

/** A kind of debate to play, and the first of the test debates that is of that kind, if any. */
export interface ChosenPlay {
  readonly title: string
  readonly found: Decided | undefined
}

/** The first of each kind in the order drawn that has a bound to show, right or wrong: none is picked for its looks. */
export function choosePlays(decided: readonly Decided[]): ChosenPlay[] {
  const early = decided.find(({ decision }) => decision.kind === 'act' && decision.round === 1)
  const flipped = decided.find((one) => actsLater(one) && changedItsMind(one))
  const later = flipped ?? decided.find(actsLater)
  const deferred = decided.find((one) => defers(one) && hasBound(one)) ?? decided.find(defers)
  return [
    { title: 'acts in round 1', found: early },
    { title: flipped === undefined ? 'acts later' : 'changes its mind and acts later', found: later },
    { title: 'defers', found: deferred },
  ]
}

function actsLater({ decision }: Decided): boolean {
  return decision.kind === 'act' && decision.round > 1
}

function defers({ decision }: Decided): boolean {
  return decision.kind === 'defer'
}

function hasBound({ decision: { path } }: Decided): boolean {
  return path.some(({ lower }) => lower !== null)
}

function changedItsMind({ decision: { path } }: Decided): boolean {
  return new Set(path.map(({ answer }) => answer)).size > 1
}

import type { DemoDecision } from './decided.ts'

/** A kind of debate to show, and the first debate of that kind, if there is one. */
export interface ChosenPlay {
  readonly title: string
  readonly found: DemoDecision | undefined
}

/** Chooses by a fixed rule, whether the answer is right or wrong: the first debate of each kind, preferably with a bound. */
export function choosePlays(decided: readonly DemoDecision[]): ChosenPlay[] {
  const early = decided.find(({ decision }) => decision.kind === 'act' && decision.round === 1)
  const second = secondPlay(decided)
  const others = decided.filter((one) => one !== second.found && defers(one))
  return [
    { title: 'acts in round 1', found: early },
    second,
    { title: 'defers', found: others.find(hasBound) ?? others[0] },
  ]
}

/** Prefers a debate that changed its answer and was acted on. If there is none, takes the next best kind. */
function secondPlay(decided: readonly DemoDecision[]): ChosenPlay {
  const flipped = decided.filter(changedItsMind)
  const acted = flipped.find(actsLater)
  if (acted !== undefined) return { title: 'changes its mind and acts later', found: acted }
  const later = decided.find(actsLater)
  if (later !== undefined) return { title: 'acts later', found: later }
  const refused = flipped.find((one) => defers(one) && hasBound(one))
  if (refused === undefined) return { title: 'acts later', found: undefined }
  return { title: 'changes its mind and is deferred (none acts later here)', found: refused }
}

function actsLater({ decision }: DemoDecision): boolean {
  return decision.kind === 'act' && decision.round > 1
}

function defers({ decision }: DemoDecision): boolean {
  return decision.kind === 'defer'
}

function hasBound({ decision: { path } }: DemoDecision): boolean {
  return path.some(({ lower }) => lower !== null)
}

function changedItsMind({ decision: { path } }: DemoDecision): boolean {
  return new Set(path.map(({ answer }) => answer)).size > 1
}

import type { RoundSummary } from '../beliefs/debate.ts'
import { CertificateError } from '../certificate-error.ts'
import { currentRound, type StateFunction } from './state-function.ts'

export type StateName = 'paper' | 'paper-1d' | 'paper-3d' | 'paper-4d' | 'support-path'

/**
 * A state by name. The paper's states use the current round only, so a panel that agreed at once and one that was
 * persuaded are at the same point. `support-path` also reflects how the panel got here.
 */
export function namedState(name: StateName): StateFunction {
  const coordinates = COORDINATES.get(name)
  if (coordinates === undefined) {
    throw new CertificateError('namedState', 'name', `one of ${[...COORDINATES.keys()].join(', ')}`, name)
  }
  return (prefix) => coordinates(currentRound(prefix, 'namedState'))
}

const COORDINATES: ReadonlyMap<StateName, (round: RoundSummary) => readonly number[]> = new Map([
  ['paper', ({ p1, margin }) => [p1, margin]],
  ['paper-1d', ({ p1 }) => [p1]],
  ['paper-3d', ({ p1, margin, p2 }) => [p1, margin, p2]],
  ['paper-4d', ({ p1, margin, p2, entropy }) => [p1, margin, p2, entropy]],
  ['support-path', ({ p1, supportPath }) => [p1, supportPath]],
])

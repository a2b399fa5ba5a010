import { distinctStates } from './distinct-states.ts'
import { kdTreeIndex } from './kd-tree-index.ts'
import type { NeighbourIndex, NeighbourRows, Ties } from './neighbour-index.ts'
import { stripIndex } from './strip-index.ts'
import { ROW } from './strips.ts'

/** Counts discs of the plane strip by strip, and searches every other space with a k-d tree. */
export function fastIndex(input: NeighbourRows, ties: Ties): NeighbourIndex {
  const states = distinctStates(input.points, input.dimension, input.correct)
  const isPlane = input.dimension === 2 && input.correct.length < ROW
  return isPlane ? stripIndex(input, states, ties) : kdTreeIndex(input, ties, states)
}

import { lineSearch } from './line-search.ts'

/** Fills `gradient` and returns the value. */
export type Objective = (parameters: Float64Array, gradient: Float64Array) => number

const MEMORY = 10
const RELATIVE_FALL = 2.220446049250313e-9
const FLAT = 1e-10
const LARGEST_STEP = 1e10

/**
 * Minimises from 0 with limited-memory BFGS and stops where SciPy's L-BFGS-B stops by default: when a step lowers the
 * value by less than 2.2e-9 of it, which is short of the optimum.
 *
 * For reproduction only: published numbers made with scikit-learn's logistic regression depend on this early stop, and
 * are reproduced to six digits by taking the same steps (Byrd, Lu, Nocedal, Zhu 1995; unconstrained case of version
 * 3.0).
 */
export function lbfgs(objective: Objective, size: number): Float64Array {
  let [here, there] = [new Float64Array(size), new Float64Array(size)]
  let [slope, slopeThere] = [new Float64Array(size), new Float64Array(size)]
  const direction = new Float64Array(size)
  const pairs: Pair[] = []
  let value = objective(here, slope)

  for (let iteration = 0; iteration < 100_000 && largest(slope) > FLAT; iteration++) {
    descend(pairs, slope, direction)
    const slopeAlong = dot(slope, direction)
    const firstStep = iteration === 0 ? Math.min(1 / Math.sqrt(dot(direction, direction)), LARGEST_STEP) : 1
    const search = lineSearch({ value, slope: slopeAlong }, firstStep, LARGEST_STEP)
    let step = firstStep
    let valueThere = value
    for (let tries = 0; tries < 20; tries++) {
      for (let i = 0; i < size; i++) there[i] = here[i]! + step * direction[i]!
      valueThere = objective(there, slopeThere)
      const next = search.next(valueThere, dot(slopeThere, direction))
      if (next.isDone) break
      step = next.step
    }
    const fall = value - valueThere
    const scale = Math.max(Math.abs(value), Math.abs(valueThere), 1)
    remember(pairs, here, there, slope, slopeThere)
    ;[here, there, slope, slopeThere] = [there, here, slopeThere, slope]
    value = valueThere
    if (fall <= RELATIVE_FALL * scale) break
  }
  return here
}

interface Pair {
  readonly moved: Float64Array
  readonly bent: Float64Array
  readonly curvature: number
}

function remember(
  pairs: Pair[],
  here: Float64Array,
  there: Float64Array,
  slope: Float64Array,
  slopeThere: Float64Array,
) {
  const moved = there.map((value, i) => value - here[i]!)
  const bent = slopeThere.map((value, i) => value - slope[i]!)
  const curvature = dot(moved, bent)
  if (!(curvature > Number.EPSILON * -dot(slope, moved))) return
  pairs.push({ moved, bent, curvature })
  if (pairs.length > MEMORY) pairs.shift()
}

/** direction = -H slope by the two-loop recursion, H scaled by the newest pair. */
function descend(pairs: readonly Pair[], slope: Float64Array, direction: Float64Array): void {
  for (let i = 0; i < slope.length; i++) direction[i] = -slope[i]!
  const shares = new Float64Array(pairs.length)
  for (let at = pairs.length - 1; at >= 0; at--) {
    const { moved, bent, curvature } = pairs[at]!
    shares[at] = dot(moved, direction) / curvature
    add(direction, -shares[at]!, bent)
  }
  const newest = pairs.at(-1)
  if (newest) {
    const scale = newest.curvature / dot(newest.bent, newest.bent)
    for (let i = 0; i < direction.length; i++) direction[i]! *= scale
  }
  for (const [at, { moved, bent, curvature }] of pairs.entries()) {
    add(direction, shares[at]! - dot(bent, direction) / curvature, moved)
  }
}

function add(target: Float64Array, share: number, vector: Float64Array): void {
  for (let i = 0; i < target.length; i++) target[i]! += share * vector[i]!
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function largest(vector: Float64Array): number {
  let size = 0
  for (const value of vector) size = Math.max(size, Math.abs(value))
  return size
}

/** A strictly convex function with its derivatives. */
export interface SmoothLoss {
  readonly size: number
  /** Returns the value and fills `gradient`. */
  value(parameters: Float64Array, gradient: Float64Array): number
  /** Fills the lower triangle of `matrix` with the second derivatives at the last point that `value` was called with. */
  curvature(matrix: Float64Array): void
}

/** Descent steps: Newton's step at the point of the last `renew`, corrected by every pair since (BFGS). */
export interface Descent {
  /** Computes the second derivatives again, at the last point of the loss; false if they are not positive definite. */
  renew(): boolean
  /** Adds one step and the change of gradient along it. */
  learn(from: Float64Array, to: Float64Array, slopeFrom: Float64Array, slopeTo: Float64Array): void
  /** Overwrites a gradient with the step to subtract. */
  step(gradient: Float64Array): void
}

/**
 * A factorisation of the second derivatives costs as much as dozens of gradients. BFGS (Nocedal and Wright 2006,
 * algorithm 7.4, with the factor as starting matrix and unlimited memory) needs only one or two of them.
 */
export function quasiNewton(loss: SmoothLoss): Descent {
  const { size } = loss
  const factor = new Float64Array(size * size)
  const moves: Float64Array[] = []
  const bends: Float64Array[] = []
  const scales: number[] = []

  return {
    renew() {
      moves.length = bends.length = scales.length = 0
      loss.curvature(factor)
      return factorise(factor, size)
    },
    learn(from, to, slopeFrom, slopeTo) {
      const move = difference(to, from)
      const bend = difference(slopeTo, slopeFrom)
      const scale = dot(move, bend)
      if (!(scale > 0)) return
      moves.push(move)
      bends.push(bend)
      scales.push(scale)
    },
    step(gradient) {
      const shares: number[] = []
      for (let pair = moves.length - 1; pair >= 0; pair--) {
        const share = dot(moves[pair]!, gradient) / scales[pair]!
        shares[pair] = share
        addTo(gradient, bends[pair]!, -share)
      }
      solveFactored(factor, size, gradient)
      for (let pair = 0; pair < moves.length; pair++) {
        addTo(gradient, moves[pair]!, shares[pair]! - dot(bends[pair]!, gradient) / scales[pair]!)
      }
    },
  }
}

function difference(left: Float64Array, right: Float64Array): Float64Array {
  const result = new Float64Array(left.length)
  for (let i = 0; i < left.length; i++) result[i] = left[i]! - right[i]!
  return result
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!
  return sum
}

function addTo(target: Float64Array, other: Float64Array, share: number): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! + share * other[i]!
}

/**
 * Cholesky factorisation in place, on flat row-major arrays.
 *
 * It overwrites the lower triangle of `matrix` with L, where L L' is the matrix, and does not touch the upper triangle.
 * Returns false if a pivot is not positive: the matrix is then not positive definite up to rounding.
 */
function factorise(matrix: Float64Array, size: number): boolean {
  for (let row = 0; row < size; row++) {
    const start = row * size
    for (let column = 0; column <= row; column++) {
      const other = column * size
      let sum = matrix[start + column]!
      for (let inner = 0; inner < column; inner++) sum -= matrix[start + inner]! * matrix[other + inner]!
      if (column < row) matrix[start + column] = sum / matrix[other + column]!
      else if (sum > 0) matrix[start + row] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

/** Overwrites `vector` with the solution of L L' x = vector. */
function solveFactored(factor: Float64Array, size: number, vector: Float64Array): void {
  for (let row = 0; row < size; row++) {
    let sum = vector[row]!
    for (let column = 0; column < row; column++) sum -= factor[row * size + column]! * vector[column]!
    vector[row] = sum / factor[row * size + row]!
  }
  for (let row = size - 1; row >= 0; row--) {
    const value = vector[row]! / factor[row * size + row]!
    vector[row] = value
    for (let column = 0; column < row; column++) vector[column] = vector[column]! - factor[row * size + column]! * value
  }
}

import { factorise, solveFactored } from './cholesky.ts'

/** A strictly convex function with its derivatives. */
export interface SmoothLoss {
  readonly size: number
  /** Returns the value and fills `gradient`. */
  value(parameters: Float64Array, gradient: Float64Array): number
  /** Fills the lower triangle of `matrix` with the second derivatives at the point `value` saw last. */
  curvature(matrix: Float64Array): void
}

/** Steps downhill: Newton's at the point of the last `renew`, corrected by every pair it was told since (BFGS). */
export interface Descent {
  /** Takes the second derivatives afresh, at the point the loss saw last; false if they are not positive definite. */
  renew(): boolean
  /** Learns from one step and the change of gradient along it. */
  learn(from: Float64Array, to: Float64Array, slopeFrom: Float64Array, slopeTo: Float64Array): void
  /** Overwrites a gradient with the step to subtract. */
  step(gradient: Float64Array): void
}

/**
 * A factor of the second derivatives costs as much as dozens of gradients. BFGS (Nocedal and Wright 2006, algorithm
 * 7.4, with the factor as starting matrix and nothing forgotten) makes one or two factors enough.
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
      const move = to.map((value, i) => value - from[i]!)
      const bend = slopeTo.map((value, i) => value - slopeFrom[i]!)
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

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0
  for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!
  return sum
}

function addTo(target: Float64Array, other: Float64Array, share: number): void {
  for (let i = 0; i < target.length; i++) target[i] = target[i]! + share * other[i]!
}

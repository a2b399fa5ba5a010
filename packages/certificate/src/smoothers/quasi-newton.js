import { factorise, solveFactored } from './cholesky.js'
/**
 * A factor of the second derivatives costs as much as dozens of gradients. BFGS (Nocedal and Wright 2006, algorithm
 * 7.4, with the factor as starting matrix and nothing forgotten) makes one or two factors enough.
 */
export function quasiNewton(loss) {
  const { size } = loss
  const factor = new Float64Array(size * size)
  const moves = []
  const bends = []
  const scales = []
  return {
    renew() {
      moves.length = bends.length = scales.length = 0
      loss.curvature(factor)
      return factorise(factor, size)
    },
    learn(from, to, slopeFrom, slopeTo) {
      const move = to.map((value, i) => value - from[i])
      const bend = slopeTo.map((value, i) => value - slopeFrom[i])
      const scale = dot(move, bend)
      if (!(scale > 0)) return
      moves.push(move)
      bends.push(bend)
      scales.push(scale)
    },
    step(gradient) {
      const shares = []
      for (let pair = moves.length - 1; pair >= 0; pair--) {
        const share = dot(moves[pair], gradient) / scales[pair]
        shares[pair] = share
        addTo(gradient, bends[pair], -share)
      }
      solveFactored(factor, size, gradient)
      for (let pair = 0; pair < moves.length; pair++) {
        addTo(gradient, moves[pair], shares[pair] - dot(bends[pair], gradient) / scales[pair])
      }
    },
  }
}
function dot(left, right) {
  let sum = 0
  for (let i = 0; i < left.length; i++) sum += left[i] * right[i]
  return sum
}
function addTo(target, other, share) {
  for (let i = 0; i < target.length; i++) target[i] = target[i] + share * other[i]
}

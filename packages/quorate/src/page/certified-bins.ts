import { clopperPearsonInterval } from '@quorate/certificate'
import type { CertifiedBin } from '../figures/certified.ts'
import { type DecidedDebate, isRightAt, lookedSteps } from './decide-held-out.ts'

const BINS = 10
const LEAST = 25
const CONFIDENCE = 0.95

/**
 * Held-out debates by the bound that decided: that of the action, else of the last look. One look a debate, so that the
 * labels of a bin are independent; about equally many a bin, and equal bounds never apart.
 */
export function certifiedBins(decided: readonly DecidedDebate[]): CertifiedBin[] {
  const looks = decided
    .flatMap((debate) => {
      const last = lookedSteps(debate).at(-1)
      return last === undefined ? [] : { bound: last.lower, isRight: isRightAt(debate.panel, last.round) }
    })
    .sort((a, b) => a.bound - b.bound)
  const size = Math.max(LEAST, Math.ceil(looks.length / BINS))
  const bins: (typeof looks)[] = []
  for (const look of looks) {
    const bin = bins.at(-1)
    const isSame = bin?.at(-1)?.bound === look.bound
    if (bin === undefined || (bin.length >= size && !isSame)) bins.push([look])
    else bin.push(look)
  }
  return bins.map((bin) => {
    const right = bin.filter(({ isRight }) => isRight).length
    const { lower, upper } = clopperPearsonInterval(right, bin.length, CONFIDENCE)
    const bound = bin.reduce((sum, look) => sum + look.bound, 0) / bin.length
    return { bound, n: bin.length, right: right / bin.length, low: lower, high: upper }
  })
}

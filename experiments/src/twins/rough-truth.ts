/**
 * Debates in which smoothness fails and nothing else: p1 between .5 and 1 falls into narrow bands in which the panel is
 * by turns nearly always right and little better than a coin. A neighbourhood wider than a band mixes both, so that
 * no k-NN certificate with too few rows for the bands can tell them apart.
 *
 * The kind of band stays the same through the debate and so does the answer: given all that was said, the chance of
 * being right is that of the current band, and the state forgets nothing.
 */
import { type Debate, type Random, seededRandom } from '@quorate/certificate'

export interface RoughDebate {
  readonly debate: Debate
  /** P(the panel's answer is right | all that was said), the same in every round. */
  readonly chance: number
}

export interface RoughOptions {
  readonly seed: number
  readonly count: number
  /** Bands of equal width over p1 in [.5, 1], an even number; 32 by default. */
  readonly bands?: number
}

export const ROUGH_CHANCES = Object.freeze({ good: 0.97, poor: 0.55 })

/** Chance of the panel's answer by the band that p1 is in; the lowest band is poor, the highest good. */
export function roughChance(p1: number, bands: number = DEFAULT_BANDS): number {
  const band = Math.min(bands - 1, Math.floor((p1 - LOWEST) * 2 * bands))
  return band % 2 === 1 ? ROUGH_CHANCES.good : ROUGH_CHANCES.poor
}

export function roughTruth({ seed, count, bands = DEFAULT_BANDS }: RoughOptions): RoughDebate[] {
  if (!(Number.isInteger(bands) && bands >= 2 && bands % 2 === 0)) {
    throw new RangeError(`roughTruth: bands: expected an even number of at least 2, got ${bands}`)
  }
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) =>
    drawDebate(`rough-${String(index + 1).padStart(5, '0')}`, bands, random),
  )
}

const DEFAULT_BANDS = 32
const LOWEST = 0.5
const OPTIONS = ['A', 'B', 'C', 'D'] as const
const AGENTS = ['agent-1', 'agent-2', 'agent-3'] as const
const ROUNDS = 4
/** Of a band's width, kept free on either side: no rounding carries a state over the edge. */
const EDGE = 0.01

function drawDebate(id: string, bands: number, random: Random): RoughDebate {
  const isGood = random() < 0.5
  const leader = Math.floor(random() * OPTIONS.length)
  const rounds = Array.from({ length: ROUNDS }, () => {
    const band = 2 * Math.floor((random() * bands) / 2) + Number(isGood)
    const p1 = LOWEST + (band + EDGE + (1 - 2 * EDGE) * random()) / (2 * bands)
    return AGENTS.map((agent) => ({ agent, answer: OPTIONS[leader]!, conf: { verbal: p1 } }))
  })
  const chance = isGood ? ROUGH_CHANCES.good : ROUGH_CHANCES.poor
  const away = 1 + Math.floor(random() * (OPTIONS.length - 1))
  const gold = OPTIONS[(leader + (random() < chance ? 0 : away)) % OPTIONS.length]!
  return { debate: { id, options: OPTIONS, gold, rounds }, chance }
}

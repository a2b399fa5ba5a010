import type { Random } from '@quorate/certificate'

/**
 * A source of standard normal numbers (Box and Muller 1958). Two numbers always cost two uniform ones. The same seed
 * thus gives each question the same random numbers under any parameters, which makes fits comparable.
 */
export function normalDraws(random: Random): () => number {
  let kept: number | null = null
  return () => {
    if (kept !== null) {
      const second = kept
      kept = null
      return second
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    kept = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
}

/**
 * A stated confidence as a probability: `85`, `85%`, `0.85`, `.85`, `0,85`, `85/100`, `85 out of 100`, `8/10`. The
 * prompt asks for a number from 0 to 100, so a plain whole number is a percentage; a number with decimals up to 1 is a
 * probability. Null for words, for ranges, for anything outside 0 to 1, and for a plain `1`, which could be either.
 */
export function parseConfidence(words: string): number | null {
  const bare = words
    .normalize('NFKC')
    .trim()
    .slice(0, LONGEST)
    .replace(/[*_`~≈"'()[\]{}$\\]/gu, '')
    .trim()
  const found = SHAPE.exec(bare)
  if (found === null) return null
  const [, digits = '', sign, total] = found
  const value = Number(digits.replace(',', '.'))
  const confidence = asProbability(value, digits, sign !== undefined, total)
  return confidence >= 0 && confidence <= 1 ? confidence : null
}

const LONGEST = 60
const SHAPE =
  /^(?:confidence ?[:=]? ?|about |approximately |around |p ?= ?)?(\d{0,4}(?:[.,]\d{1,12})?)(?: ?(%|percent|per cent|pct)| ?(?:\/|out of|of) ?(\d{1,4}))?[.!]?$/iu

/** NaN if it is ambiguous. */
function asProbability(value: number, digits: string, isPercent: boolean, total: string | undefined): number {
  if (digits === '') return Number.NaN
  if (isPercent) return value / 100
  if (total !== undefined) return value / Number(total)
  if (digits === '1') return Number.NaN
  return value <= 1 ? value : value / 100
}

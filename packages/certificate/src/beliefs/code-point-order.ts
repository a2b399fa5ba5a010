/**
 * Order of two strings by Unicode code points: the same on every machine and in every language (Python and PostgreSQL's
 * "C" collation sort so too). Locales differ, and UTF-16 units put U+1F600 before U+FF21.
 */
export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let unit = 0; unit < shorter; unit++) {
    // Everything before is equal, so both strings stand at the start of a code point or in the middle of the same one.
    const difference = left.codePointAt(unit)! - right.codePointAt(unit)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

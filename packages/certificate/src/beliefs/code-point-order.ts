/**
 * Compares two strings by Unicode code points. The order is the same on every machine and in other languages (Python
 * and PostgreSQL's "C" collation sort the same way). Locales differ, and UTF-16 code units put U+1F600 before U+FF21.
 */
export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let unit = 0; unit < shorter; unit++) {
    // Everything before is equal, so both strings are at the start of a code point or inside the same one.
    const difference = left.codePointAt(unit)! - right.codePointAt(unit)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

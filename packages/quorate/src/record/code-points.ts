/** Compares by Unicode code points, as the certificate sorts option names. By UTF-16 units, U+1F600 would precede U+FF21. */
export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length)
  for (let unit = 0; unit < shorter; unit++) {
    const difference = (left.codePointAt(unit) ?? 0) - (right.codePointAt(unit) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** Longer names are nobody's: a tooltip shows this much. */
const LONGEST = 500

/**
 * Text from outside as one line that a page can show: control, format, direction and broken characters go (XML allows
 * none of them, and they reorder what stands beside), white space is one space.
 */
export function visibleText(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/\p{C}/gu, '')
}

/** A name in at most `letters` letters, the last one an ellipsis where it was cut. */
export function shortName(name: string, letters: number): string {
  const all = [...visibleText(name.slice(0, LONGEST)).trim()]
  if (all.length === 0) return '(no name)'
  return all.length <= letters ? all.join('') : `${all.slice(0, Math.max(1, letters - 1)).join('')}…`
}

/** The whole name, as far as anybody reads. */
export function fullName(name: string): string {
  return shortName(name, LONGEST)
}

/** The end of a name, where that is what tells it from others. */
export function endOfName(name: string, letters: number): string {
  const all = [...fullName(name)]
  return all.length <= letters ? all.join('') : `…${all.slice(1 - letters).join('')}`
}

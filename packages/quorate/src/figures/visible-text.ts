/** Longest name that a tooltip shows, in characters. */
const LONGEST = 500

/**
 * Turns untrusted text into one line that a page can show. White space becomes single spaces. Control, format, direction
 * and broken characters are removed, because XML does not allow some of them and others reorder the text around them.
 */
export function visibleText(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/\p{C}/gu, '')
}

/** A name in at most `letters` characters. A name that was cut ends with an ellipsis. */
export function shortName(name: string, letters: number): string {
  const all = [...visibleText(name.slice(0, LONGEST)).trim()]
  if (all.length === 0) return '(no name)'
  return all.length <= letters ? all.join('') : `${all.slice(0, Math.max(1, letters - 1)).join('')}…`
}

/** The whole name, up to the longest that a tooltip shows. */
export function fullName(name: string): string {
  return shortName(name, LONGEST)
}

/** The end of a name, for names that differ only at their end. */
export function endOfName(name: string, letters: number): string {
  const all = [...fullName(name)]
  return all.length <= letters ? all.join('') : `…${all.slice(1 - letters).join('')}`
}

import { stripVTControlCharacters } from 'node:util'

/** Longer than any line needs to be. Stripping longer hostile text would take quadratic time. */
const LONGEST = 4000

/**
 * Makes text from outside (questions, options, names) safe to print on one line of a terminal. Escape sequences are removed
 * with everything they carry, other control, format and direction characters one by one. White space becomes one space.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.slice(0, LONGEST)).replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim()
}

/** Makes text of any length safe to print on a terminal. Control and format characters are removed; line ends and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '')
}

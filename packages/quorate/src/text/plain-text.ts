import { stripVTControlCharacters } from 'node:util'

/** More than a line is for; stripping longer hostile text would take quadratic time. */
const LONGEST = 4000

/**
 * Text from outside (questions, options, names) that can be printed on one line without steering the terminal: escape
 * sequences go with all they carry; other control, format and direction characters go alone; white space is one space.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.slice(0, LONGEST)).replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim()
}

/** Text of any length that cannot steer the terminal: control and format characters go, line ends and tabs stay. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '')
}

import { stripVTControlCharacters } from 'node:util'

/**
 * Text from outside (questions, options, names) that can be printed on one line without steering the terminal: escape
 * sequences go with all they carry; other control, format and direction characters go alone; white space is one space.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim()
}

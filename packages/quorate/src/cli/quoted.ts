import { plainText } from '../text/plain-text.ts'

/** An argument in quotes, as one line without anything that steers a terminal. */
export function quoted(argument: string): string {
  return `"${plainText(argument)}"`
}

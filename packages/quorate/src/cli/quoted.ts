import { plainText } from '../text/plain-text.ts'

/** An argument in quotes, on one line and without terminal control sequences. */
export function quoted(argument: string): string {
  return `"${plainText(argument)}"`
}

/** Legal in JSON, and yet orders to a terminal: C1 controls, line separators, marks that turn text around. */
const HIDDEN = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** One line of JSON for machines that a person may also look at. */
export function jsonLine(value: unknown): string {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${JSON.stringify(value).replace(HIDDEN, escaped)}\n`
}

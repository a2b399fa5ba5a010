/** Letters A, B, C and so on, numbers after Z. */
export function optionLetter(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1)
}

import { countText } from 'quorate/figures'

/** The value of a field as lines of text, equal for equal values; null if it is not known. */
export function fieldLines(value: unknown): readonly string[] | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return arrayLines(value)
  if (typeof value === 'object') {
    return Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}: ${plain(value)}`)
  }
  return [plain(value)]
}

/** A list of lists has one entry per round. Consecutive equal rounds become one line. */
function arrayLines(values: readonly unknown[]): readonly string[] {
  if (!values.every((value) => Array.isArray(value))) return [values.map(plain).join(', ')]
  const lines: { readonly text: string; readonly from: number; to: number }[] = []
  for (const [index, value] of values.entries()) {
    const text = plain(value)
    const last = lines.at(-1)
    if (last?.text === text) last.to = index + 1
    else lines.push({ text, from: index + 1, to: index + 1 })
  }
  return lines.map(({ text, from, to }) => `${from === to ? from : `${from}–${to}`}: ${text}`)
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ')
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return countText(value)
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

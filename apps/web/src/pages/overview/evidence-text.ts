import { countText } from 'quorate/figures'

const LARGE = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
] as const

/** The evidence of a test, never rounded up, because it would then seem to have reached its threshold: 53.1, 2,056, 4.8 million. */
export function evidenceText(value: number): string {
  const [unit, name] = LARGE.find(([least]) => value >= least) ?? [1, null]
  // The server sends at most a trillion, which is conclusive already.
  if (name === 'trillion') return '1 trillion or more'
  if (name !== null) return `${Math.floor((value / unit) * 10) / 10} ${name}`
  if (value >= 1000) return countText(Math.floor(value))
  const scale = value >= 100 ? 1 : value >= 10 ? 10 : 100
  return String(Math.floor(value * scale + 1e-9) / scale)
}

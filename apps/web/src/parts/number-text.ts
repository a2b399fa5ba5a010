import { clopperPearsonInterval } from '@quorate/certificate'
import type { CountedShare } from 'quorate/contract'
import { MICRO_USD } from 'quorate/record'

/** With fewer labels than this, a figure is grey, and there is no verdict and no headline. */
export const ENOUGH = 30

/** From this many dollars on, cents are left out. */
const WHOLE_FROM = 1000

/** 5 h, 41 min, 3 days. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 1) return 'under a minute'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

/** 11:42, by the reader's clock. */
export function timeText(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}

/** $41.73. An amount below a cent keeps two significant digits. */
export function moneyText(microUsd: number): string {
  const dollars = microUsd / MICRO_USD
  if (dollars >= WHOLE_FROM) return `$${Math.round(dollars).toLocaleString('en')}`
  if (dollars === 0 || dollars >= 0.01) return `$${dollars.toFixed(2)}`
  return `$${dollars.toPrecision(2)}`
}

/** Nobody declares a number with more digits. A quotient that was computed has more. */
const DECLARED_DIGITS = 8

/** A share that was declared, not measured, in per cent as it was written: 10, 2.5, 0.125. A computed one has two decimals. */
export function declaredText(share: number): string {
  const written = Number(share.toPrecision(DECLARED_DIGITS))
  const isDeclared = Math.abs(written - share) < 1e-12
  return (written * 100).toFixed(isDeclared ? 10 : 2).replace(/\.?0+$/, '')
}

/** A share counted here, with the 95 % interval that the server uses; null if nothing was counted. */
export function shareOf(count: number, of: number): CountedShare | null {
  return of === 0 ? null : { count, of, share: count / of, ...clopperPearsonInterval(count, of, 0.95) }
}

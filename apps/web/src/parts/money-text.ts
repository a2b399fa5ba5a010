const MICRO = 1_000_000
/** From here on cents are noise. */
const WHOLE_FROM = 1000

/** $41.73; less than a cent keeps two digits that say something. */
export function moneyText(microUsd: number): string {
  const dollars = microUsd / MICRO
  if (dollars >= WHOLE_FROM) return `$${Math.round(dollars).toLocaleString('en')}`
  if (dollars === 0 || dollars >= 0.01) return `$${dollars.toFixed(2)}`
  return `$${dollars.toPrecision(2)}`
}

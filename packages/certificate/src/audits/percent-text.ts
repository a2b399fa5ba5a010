/** A share in per cent with one decimal, without the sign. */
export function percentText(share: number): string {
  return (100 * share).toFixed(1)
}

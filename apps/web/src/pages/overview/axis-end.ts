/**
 * The share at the end of an axis: room for twice beta and for the largest share. The latter is rounded up to one digit, so
 * that its label fits beside the axis.
 */
export function axisEnd(beta: number, largest: number): number {
  const room = 1.2 * largest
  return Math.min(1, room <= 2 * beta ? 2 * beta : oneDigitUp(room))
}

function oneDigitUp(share: number): number {
  const unit = 10 ** Math.floor(Math.log10(share))
  return Number((Math.ceil(share / unit - 1e-9) * unit).toPrecision(1))
}

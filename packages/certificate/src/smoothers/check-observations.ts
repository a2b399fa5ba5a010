import { CertificateError } from '../certificate-error.ts'

/**
 * Checks successes out of counts, one pair per row, and returns the two totals. Rows with a count of 0 are allowed, but
 * not an empty list.
 */
export function checkObservations(
  where: string,
  rows: number,
  successes: ArrayLike<number>,
  counts: ArrayLike<number>,
): { readonly successes: number; readonly count: number } {
  if (!(Number.isInteger(rows) && rows >= 1))
    throw new CertificateError(where, 'rows', 'a whole number, at least 1', rows)
  if (counts.length !== rows) throw new CertificateError(where, 'counts.length', String(rows), counts.length)
  if (successes.length !== rows) throw new CertificateError(where, 'successes.length', String(rows), successes.length)
  let right = 0
  let total = 0
  for (let row = 0; row < rows; row++) {
    const [success, count] = [successes[row]!, counts[row]!]
    if (!(count >= 0 && count < Infinity)) {
      throw new CertificateError(where, `counts[${row}]`, 'at least 0 and finite', count)
    }
    if (!(success >= 0 && success <= count)) {
      throw new CertificateError(where, `successes[${row}]`, `in [0, ${count}]`, success)
    }
    right += success
    total += count
  }
  if (!(total > 0)) throw new CertificateError(where, 'sum of counts', 'greater than 0', total)
  return { successes: right, count: total }
}

export function checkFinite(where: string, parameter: string, values: Float64Array): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) throw new CertificateError(where, `${parameter}[${i}]`, 'finite', values[i])
  }
}

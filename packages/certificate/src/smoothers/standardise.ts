import { CertificateError } from '../certificate-error.ts'
import { checkFinite } from './check-observations.ts'

/** Column means and population standard deviations. A constant column has scale 1, so it becomes zeros. */
export interface Standardised {
  readonly means: Float64Array
  readonly scales: Float64Array
  /** (value - mean) / scale, in the given order of rows. */
  readonly rows: Float64Array
}

/** Standardises rows (row-major, `columns` numbers each) weighted by `counts`, as scikit-learn's StandardScaler does. */
export function standardise(rows: Float64Array, columns: number, counts: ArrayLike<number>): Standardised {
  if (!(Number.isInteger(columns) && columns >= 0 && rows.length === counts.length * columns)) {
    throw new CertificateError('standardise', 'rows.length', `${counts.length} x ${columns}`, rows.length)
  }
  checkFinite('standardise', 'rows', rows)
  const total = sumOf(counts)
  const means = weightedSums(rows, columns, counts).map((sum) => sum / total)
  const squares = weightedSquares(rows, means, counts)
  const scales = squares.map((square, column) => {
    const variance = square / total
    // Rounding alone can give a constant column a variance of this size (scikit-learn's _is_constant_feature).
    const noise = total * Number.EPSILON * variance + (total * means[column]! * Number.EPSILON) ** 2
    return variance <= noise ? 1 : Math.sqrt(variance)
  })
  return { means, scales, rows: scaled(rows, means, scales) }
}

function sumOf(counts: ArrayLike<number>): number {
  let total = 0
  for (let row = 0; row < counts.length; row++) {
    if (!(counts[row]! >= 0)) throw new CertificateError('standardise', `counts[${row}]`, 'at least 0', counts[row])
    total += counts[row]!
  }
  if (!(total > 0 && total < Infinity)) throw new CertificateError('standardise', 'sum of counts', 'positive', total)
  return total
}

function weightedSums(rows: Float64Array, columns: number, counts: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(columns)
  for (let row = 0; row < counts.length; row++) {
    const count = counts[row]!
    for (let column = 0; column < columns; column++) {
      sums[column] = sums[column]! + count * rows[row * columns + column]!
    }
  }
  return sums
}

/** Weighted sums of the squared distances from the means. */
function weightedSquares(rows: Float64Array, means: Float64Array, counts: ArrayLike<number>): Float64Array {
  const columns = means.length
  const sums = new Float64Array(columns)
  for (let row = 0; row < counts.length; row++) {
    const count = counts[row]!
    for (let column = 0; column < columns; column++) {
      const away = rows[row * columns + column]! - means[column]!
      sums[column] = sums[column]! + count * (away * away)
    }
  }
  return sums
}

function scaled(rows: Float64Array, means: Float64Array, scales: Float64Array): Float64Array {
  const columns = means.length
  const result = new Float64Array(rows.length)
  for (let start = 0; start < rows.length; start += columns) {
    for (let column = 0; column < columns; column++) {
      result[start + column] = (rows[start + column]! - means[column]!) / scales[column]!
    }
  }
  return result
}

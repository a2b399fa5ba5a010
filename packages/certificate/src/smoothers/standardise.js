import { CertificateError } from '../certificate-error.js'
import { checkFinite } from './check-observations.js'
/** Rows (row-major, `columns` numbers each) weighted by `counts`, as scikit-learn's StandardScaler does. */
export function standardise(rows, columns, counts) {
  if (!(Number.isInteger(columns) && columns >= 0 && rows.length === counts.length * columns)) {
    throw new CertificateError('standardise', 'rows.length', `${counts.length} x ${columns}`, rows.length)
  }
  checkFinite('standardise', 'rows', rows)
  const total = sumOf(counts)
  const means = weightedSums(rows, columns, counts, (value) => value).map((sum) => sum / total)
  const squares = weightedSums(rows, columns, counts, (value, column) => (value - means[column]) ** 2)
  const scales = squares.map((square, column) => {
    const variance = square / total
    // Rounding alone can give a constant column a variance of this size (scikit-learn's _is_constant_feature).
    const noise = total * Number.EPSILON * variance + (total * means[column] * Number.EPSILON) ** 2
    return variance <= noise ? 1 : Math.sqrt(variance)
  })
  return { means, scales, rows: rows.map((value, i) => (value - means[i % columns]) / scales[i % columns]) }
}
function sumOf(counts) {
  let total = 0
  for (let row = 0; row < counts.length; row++) {
    if (!(counts[row] >= 0)) throw new CertificateError('standardise', `counts[${row}]`, 'at least 0', counts[row])
    total += counts[row]
  }
  if (!(total > 0 && total < Infinity)) throw new CertificateError('standardise', 'sum of counts', 'positive', total)
  return total
}
function weightedSums(rows, columns, counts, term) {
  const sums = new Float64Array(columns)
  for (let row = 0; row < counts.length; row++) {
    for (let column = 0; column < columns; column++) {
      sums[column] = sums[column] + counts[row] * term(rows[row * columns + column], column)
    }
  }
  return sums
}

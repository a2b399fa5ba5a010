import { CertificateError } from '../certificate-error.js'
import { checkFinite, checkObservations } from './check-observations.js'
import { gram } from './gram.js'
export function logisticLoss(where, input, penalty) {
  const { columns, successes, counts } = input
  const count = counts.length
  if (!(Number.isInteger(columns) && columns >= 0)) {
    throw new CertificateError(where, 'columns', 'a whole number', columns)
  }
  if (typeof input.rows !== 'function') {
    if (input.rows.length !== count * columns) {
      throw new CertificateError(where, 'rows.length', `${count} x ${columns}`, input.rows.length)
    }
    checkFinite(where, 'rows', input.rows)
  }
  const total = checkObservations(where, count, successes, counts)
  // The intercept is free: with one class only it would run to infinity.
  if (!(total.successes > 0 && total.successes < total.count)) {
    throw new CertificateError(where, 'successes', `of both classes, in (0, ${total.count})`, total.successes)
  }
  const size = columns + 1 + ((columns + 1) % 2)
  const design = paddedDesign(input.rows, columns, count, size)
  const spread = new Float64Array(design.length / size)
  return {
    size,
    start: Math.log(total.successes / (total.count - total.successes)),
    rounding: Number.EPSILON * penalty * largestColumn(design, size, counts),
    value(parameters, gradient) {
      let norm = 0
      for (let column = 0; column < columns; column++) norm += parameters[column] * parameters[column]
      gradient.set(parameters)
      gradient[size - 1] = 0
      let loss = 0
      for (let row = 0; row < count; row++) {
        const from = row * size
        const f = dotRow(design, from, parameters)
        const small = Math.exp(-Math.abs(f))
        const rate = (f >= 0 ? 1 : small) / (1 + small)
        loss += counts[row] * (Math.max(f, 0) + Math.log1p(small)) - successes[row] * f
        spread[row] = (penalty * counts[row] * small) / ((1 + small) * (1 + small))
        addRow(gradient, design, from, penalty * (counts[row] * rate - successes[row]))
      }
      return 0.5 * norm + penalty * loss
    },
    curvature(matrix) {
      gram(design, size, spread, matrix)
      for (let column = 0; column < size - 1; column++) {
        matrix[column * (size + 1)] = matrix[column * (size + 1)] + 1
      }
    },
  }
}
/** A last column of ones for the intercept; before it, and below, zeros to suit `gram`. A zero column has weight 0. */
function paddedDesign(rows, columns, count, size) {
  const design = new Float64Array(Math.ceil(count / 4) * 4 * size)
  for (let row = 0; row < count; row++) {
    if (typeof rows === 'function') rows(row, design, row * size)
    else design.set(rows.subarray(row * columns, (row + 1) * columns), row * size)
    design[(row + 1) * size - 1] = 1
  }
  return design
}
/** Two sums, because one alone would wait for each addition; the size is even. */
function dotRow(design, from, parameters) {
  let even = 0
  let odd = 0
  for (let column = 0; column < parameters.length; column += 2) {
    even += design[from + column] * parameters[column]
    odd += design[from + column + 1] * parameters[column + 1]
  }
  return even + odd
}
function addRow(target, design, from, share) {
  for (let column = 0; column < target.length; column++) {
    target[column] = target[column] + share * design[from + column]
  }
}
function largestColumn(design, size, counts) {
  const sums = new Float64Array(size)
  for (let row = 0; row < counts.length; row++) {
    for (let column = 0; column < size; column++) {
      sums[column] = sums[column] + counts[row] * Math.abs(design[row * size + column])
    }
  }
  return sums.reduce((largest, sum) => Math.max(largest, sum), 0)
}

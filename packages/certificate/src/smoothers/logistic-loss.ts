import { CertificateError } from '../certificate-error.ts'
import { checkFinite, checkObservations } from './check-observations.ts'
import type { SmoothLoss } from './quasi-newton.ts'

/** Writes the `columns` features of a row into an array of zeros. */
export type RowWriter = (row: number, into: Float64Array, at: number) => void

/** Rows of features with successes out of counts: row-major, or written row by row to save a copy. */
export interface LogisticInput {
  readonly rows: Float64Array | RowWriter
  readonly columns: number
  readonly successes: ArrayLike<number>
  readonly counts: ArrayLike<number>
}

/** 1/2 |w|^2 + penalty sum_i [counts_i log(1 + exp f_i) - successes_i f_i]; weights first, the intercept last. */
export interface LogisticLoss extends SmoothLoss {
  /** Log-odds of the pooled rate: the best intercept without features. */
  readonly start: number
  /** Largest rounding error to expect in the gradient. */
  readonly rounding: number
}

export function logisticLoss(where: string, input: LogisticInput, penalty: number): LogisticLoss {
  const { columns } = input
  const count = input.counts.length
  if (!(Number.isInteger(columns) && columns >= 0)) {
    throw new CertificateError(where, 'columns', 'a whole number', columns)
  }
  if (typeof input.rows !== 'function') {
    if (input.rows.length !== count * columns) {
      throw new CertificateError(where, 'rows.length', `${count} x ${columns}`, input.rows.length)
    }
    checkFinite(where, 'rows', input.rows)
  }
  const total = checkObservations(where, count, input.successes, input.counts)
  // The intercept is free, so with one class only it would diverge.
  if (!(total.successes > 0 && total.successes < total.count)) {
    throw new CertificateError(where, 'successes', `of both classes, in (0, ${total.count})`, total.successes)
  }

  // Callers pass arrays of several types. With a single type the loops over rows are compiled for it.
  const successes = Float64Array.from(input.successes)
  const counts = Float64Array.from(input.counts)
  const penalties = counts.map((rows) => penalty * rows)
  const size = columns + 1 + ((columns + 1) % 2)
  const design = paddedDesign(input.rows, columns, count, size)
  const spread = new Float64Array(design.length / size)

  return {
    size,
    start: Math.log(total.successes / (total.count - total.successes)),
    rounding: Number.EPSILON * penalty * largestColumn(design, size, counts),
    value(parameters, gradient) {
      let norm = 0
      for (let column = 0; column < columns; column++) norm += parameters[column]! * parameters[column]!
      gradient.set(parameters)
      gradient[size - 1] = 0
      let loss = 0
      for (let row = 0; row < count; row++) {
        const from = row * size
        const f = dotRow(design, from, parameters)
        const small = Math.exp(-Math.abs(f))
        const whole = 1 + small
        const rate = (f >= 0 ? 1 : small) / whole
        loss += counts[row]! * ((f > 0 ? f : 0) + Math.log1p(small)) - successes[row]! * f
        spread[row] = (penalties[row]! * small) / (whole * whole)
        addRow(gradient, design, from, penalty * (counts[row]! * rate - successes[row]!))
      }
      return 0.5 * norm + penalty * loss
    },
    curvature(matrix) {
      gram(design, size, spread, matrix)
      for (let column = 0; column < size - 1; column++) {
        matrix[column * (size + 1)] = matrix[column * (size + 1)]! + 1
      }
    },
  }
}

/**
 * Adds a last column of ones for the intercept, and pads columns and rows with zeros for `gram`. A zero column gets
 * weight 0.
 */
function paddedDesign(rows: LogisticInput['rows'], columns: number, count: number, size: number): Float64Array {
  const design = new Float64Array(Math.ceil(count / 4) * 4 * size)
  for (let row = 0; row < count; row++) {
    if (typeof rows === 'function') rows(row, design, row * size)
    else design.set(rows.subarray(row * columns, (row + 1) * columns), row * size)
    design[(row + 1) * size - 1] = 1
  }
  return design
}

/** Uses two sums, because a single one would wait for each addition. The size is even. */
function dotRow(design: Float64Array, from: number, parameters: Float64Array): number {
  let even = 0
  let odd = 0
  for (let column = 0; column < parameters.length; column += 2) {
    even += design[from + column]! * parameters[column]!
    odd += design[from + column + 1]! * parameters[column + 1]!
  }
  return even + odd
}

function addRow(target: Float64Array, design: Float64Array, from: number, share: number): void {
  for (let column = 0; column < target.length; column += 2) {
    target[column] = target[column]! + share * design[from + column]!
    target[column + 1] = target[column + 1]! + share * design[from + column + 1]!
  }
}

function largestColumn(design: Float64Array, size: number, counts: ArrayLike<number>): number {
  const sums = new Float64Array(size)
  for (let row = 0; row < counts.length; row++) {
    for (let column = 0; column < size; column++) {
      sums[column] = sums[column]! + counts[row]! * Math.abs(design[row * size + column]!)
    }
  }
  return sums.reduce((largest, sum) => Math.max(largest, sum), 0)
}

/**
 * Fills the lower triangle of `matrix` with X' diag(weights) X, where X is row-major with `size` columns.
 *
 * `size` is even and the number of rows a multiple of four (padded with zeros). Four rows and two columns are processed
 * at a time, so each sum is updated a quarter as often and each row is read half as often.
 */
function gram(design: Float64Array, size: number, weights: Float64Array, matrix: Float64Array): void {
  matrix.fill(0)
  for (let row = 0; row < weights.length; row += 4) {
    const first = row * size
    const second = first + size
    const third = second + size
    const fourth = third + size
    for (let left = 0; left < size; left += 2) {
      const a = weights[row]! * design[first + left]!
      const b = weights[row + 1]! * design[second + left]!
      const c = weights[row + 2]! * design[third + left]!
      const d = weights[row + 3]! * design[fourth + left]!
      const e = weights[row]! * design[first + left + 1]!
      const f = weights[row + 1]! * design[second + left + 1]!
      const g = weights[row + 2]! * design[third + left + 1]!
      const h = weights[row + 3]! * design[fourth + left + 1]!
      // Columns of splines are mostly zero.
      if (a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0 && g === 0 && h === 0) continue
      const upper = left * size
      const lower = upper + size
      for (let right = 0; right <= left + 1; right++) {
        const p = design[first + right]!
        const q = design[second + right]!
        const r = design[third + right]!
        const s = design[fourth + right]!
        matrix[upper + right] = matrix[upper + right]! + (a * p + b * q + c * r + d * s)
        matrix[lower + right] = matrix[lower + right]! + (e * p + f * q + g * r + h * s)
      }
    }
  }
}

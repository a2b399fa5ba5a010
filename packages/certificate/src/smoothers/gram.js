/**
 * Fills the lower triangle of `matrix` with X' diag(weights) X; X is row-major with `size` columns.
 *
 * `size` is even and the number of rows a multiple of four (pad with zeros): four rows and two columns are taken at a
 * time, so that each sum is touched a quarter as often and each row read half as often.
 */
export function gram(design, size, weights, matrix) {
  matrix.fill(0)
  for (let row = 0; row < weights.length; row += 4) {
    const first = row * size
    const second = first + size
    const third = second + size
    const fourth = third + size
    for (let left = 0; left < size; left += 2) {
      const a = weights[row] * design[first + left]
      const b = weights[row + 1] * design[second + left]
      const c = weights[row + 2] * design[third + left]
      const d = weights[row + 3] * design[fourth + left]
      const e = weights[row] * design[first + left + 1]
      const f = weights[row + 1] * design[second + left + 1]
      const g = weights[row + 2] * design[third + left + 1]
      const h = weights[row + 3] * design[fourth + left + 1]
      // Columns of splines are mostly zero.
      if (a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0 && g === 0 && h === 0) continue
      const upper = left * size
      const lower = upper + size
      for (let right = 0; right <= left + 1; right++) {
        const p = design[first + right]
        const q = design[second + right]
        const r = design[third + right]
        const s = design[fourth + right]
        matrix[upper + right] = matrix[upper + right] + (a * p + b * q + c * r + d * s)
        matrix[lower + right] = matrix[lower + right] + (e * p + f * q + g * r + h * s)
      }
    }
  }
}

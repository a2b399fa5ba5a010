/**
 * Solves symmetric positive definite systems in place, on flat row-major arrays.
 *
 * `factorise` reads and overwrites the lower triangle of `matrix` with L, where L L' is the matrix; the upper triangle
 * is not touched. False when a pivot is not positive: the matrix is then not positive definite to rounding.
 */
export function factorise(matrix, size) {
  for (let row = 0; row < size; row++) {
    const start = row * size
    for (let column = 0; column <= row; column++) {
      const other = column * size
      let sum = matrix[start + column]
      for (let inner = 0; inner < column; inner++) sum -= matrix[start + inner] * matrix[other + inner]
      if (column < row) matrix[start + column] = sum / matrix[other + column]
      else if (sum > 0) matrix[start + row] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}
/** Overwrites `vector` with the solution of L L' x = vector. */
export function solveFactored(factor, size, vector) {
  for (let row = 0; row < size; row++) {
    let sum = vector[row]
    for (let column = 0; column < row; column++) sum -= factor[row * size + column] * vector[column]
    vector[row] = sum / factor[row * size + row]
  }
  for (let row = size - 1; row >= 0; row--) {
    const value = vector[row] / factor[row * size + row]
    vector[row] = value
    for (let column = 0; column < row; column++) vector[column] = vector[column] - factor[row * size + column] * value
  }
}

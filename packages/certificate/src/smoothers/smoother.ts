/** An estimate of the probability of being right at a state, learned from pilot rows. */
export interface Smoother {
  /** Reads one state at `offset`, with as many numbers as the smoother was fitted with, and returns a probability. */
  predict(points: ArrayLike<number>, offset: number): number
}

/** Learned scores (probabilities of being right) and labels of several rows over all rounds, row-major. */
export interface RoundScores {
  readonly rounds: number
  readonly rows: number
  /** NaN where a round has no score because its pilot labels were of one kind. */
  readonly scores: Float64Array
  readonly correct: Uint8Array
}

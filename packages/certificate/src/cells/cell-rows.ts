/** Labelled debates as numbers, row-major over rows x rounds: everything that cells use. */
export interface CellRows {
  readonly rounds: number
  readonly rows: number
  /** Estimated probability that the panel's answer is right. */
  readonly scores: Float64Array
  /** 1 where the round never acts: a tie, no vote, no news, or a round that did not take place. */
  readonly excluded: Uint8Array
  readonly kinds: Uint16Array
  readonly right: Uint8Array
}

/** One debate up to some round, with one entry per round. */
export interface CellPath {
  readonly scores: ArrayLike<number>
  readonly excluded: ArrayLike<number>
  readonly kinds: ArrayLike<number>
}

export interface DemoOptions {
  /** Seed of everything drawn in the demo. */
  readonly seed: number
  /** Largest share of questions on which the panel may act wrongly. */
  readonly beta: number
  readonly color: boolean
  /** Columns of the terminal. */
  readonly width: number
}

/** Calibrates a simulated panel and plays three of its debates. */
export async function runDemo(_options: DemoOptions, _write: (text: string) => void): Promise<void> {
  throw new Error('the demo is not built yet')
}

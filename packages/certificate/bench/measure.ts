export interface Timing {
  readonly minMs: number
  readonly meanMs: number
  readonly sdMs: number
  /** Sum of all results: read it, or the engine may skip the work. */
  readonly sink: number
}

/** Warmed by two runs, then `repeats` timed ones. */
export function measure(work: () => number, repeats = 10): Timing {
  let sink = work() + work()
  const times = Array.from({ length: repeats }, () => {
    const start = performance.now()
    sink += work()
    return performance.now() - start
  })
  const meanMs = times.reduce((sum, time) => sum + time, 0) / repeats
  const variance = times.reduce((sum, time) => sum + (time - meanMs) ** 2, 0) / repeats
  return { minMs: Math.min(...times), meanMs, sdMs: Math.sqrt(variance), sink }
}

/** One line: what, per item, with spread, against its goal. */
export function report(
  what: string,
  { minMs, meanMs, sdMs, sink }: Timing,
  items: number,
  goalUs: number | null,
): void {
  const us = (ms: number) => ((1000 * ms) / items).toFixed(items === 1 ? 0 : 2)
  const goal = goalUs === null ? '' : `  goal ${goalUs} us`
  const line = `${what.padEnd(62)} ${us(meanMs).padStart(9)} us +- ${us(sdMs)} (best ${us(minMs)})${goal}`
  console.log(Number.isFinite(sink) ? line : `${line}  RESULT NOT FINITE`)
}

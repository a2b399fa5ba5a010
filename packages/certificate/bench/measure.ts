export interface Timing {
  readonly minMs: number
  readonly meanMs: number
  readonly sdMs: number
  /** Sum of all results. It must be read, or the engine may skip the work. */
  readonly sink: number
}

/** Warms up with two runs, then times `repeats` runs. */
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

/** Prints one line: the time per item, its spread, and the goal. */
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

export interface MedianTiming {
  readonly wallMs: number
  /** CPU time of this process over all threads. Other work on the machine hardly changes it. */
  readonly cpuMs: number
  /** Sum of all results. It must be read, or the engine may skip the work. */
  readonly sink: number
}

/** Warms up with one run, then takes the medians of three. */
export function measureMedian(work: () => number): MedianTiming {
  let sink = work()
  const times = [1, 2, 3].map(() => {
    const [start, before] = [performance.now(), process.cpuUsage()]
    sink += work()
    const { user, system } = process.cpuUsage(before)
    return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 }
  })
  const median = (of: readonly number[]) => of.toSorted((a, b) => a - b)[1]!
  return { wallMs: median(times.map(({ wallMs }) => wallMs)), cpuMs: median(times.map(({ cpuMs }) => cpuMs)), sink }
}

const PER_MS = { s: 0.001, ms: 1, us: 1000 } as const

/** Prints one line: wall and CPU time per call, and the goal. */
export function reportMedian(
  what: string,
  { wallMs, cpuMs, sink }: MedianTiming,
  {
    unit,
    goalMs,
    calls = 1,
  }: { readonly unit: keyof typeof PER_MS; readonly goalMs: number | null; readonly calls?: number },
): void {
  const text = (ms: number) => `${((PER_MS[unit] * ms) / calls).toFixed(unit === 's' ? 2 : 1)} ${unit}`
  const against = goalMs === null ? '' : `  goal ${PER_MS[unit] * goalMs} ${unit}`
  const line = `${what.padEnd(44)} ${text(wallMs).padStart(10)} wall, ${text(cpuMs).padStart(10)} CPU (medians of 3)${against}`
  console.log(Number.isFinite(sink) ? line : `${line}  RESULT NOT FINITE`)
}

import type { Sleep } from './traffic.ts'

const MOST_PARTS = 10
const LEAST_PART_MS = 10

/**
 * Resolves when so many milliseconds have passed, or the signal aborts. They are counted in parts: one that took longer
 * because this process was busy counts as one, so that a reply which came in meanwhile is read before it is called late.
 */
export async function patience(milliseconds: number, sleep: Sleep, signal: AbortSignal): Promise<void> {
  const parts = Math.max(1, Math.min(MOST_PARTS, Math.floor(milliseconds / LEAST_PART_MS)))
  for (let part = 0; part < parts && !signal.aborted; part++) await sleep(milliseconds / parts, signal)
}

/** Whether a parsed JSON value has more than so many levels of lists and objects; without recursion. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter((member) => typeof member === 'object' && member !== null)
    if (inner.length > 0 && depth >= levels) return true
    level = inner.flatMap((member) => (Array.isArray(member) ? member : Object.values(member)))
  }
  return false
}

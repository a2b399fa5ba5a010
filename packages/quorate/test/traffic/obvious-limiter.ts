import type { SharedLimits, SharedLine } from '../../src/traffic/shared-limits.ts'

/** Places of one line, all of them kept: slow, and plain to see. Times in millionths of a second. */
export interface ObviousLine {
  /** The first moment that is not within the cost of any place before, nor longer ago than the rest counts. */
  earliest(now: number, rest: number): number
  take(place: number, cost: number): void
  giveBack(micros: number): void
  /** As if everything had been so much earlier. */
  shift(micros: number): void
}

export function obviousLine(): ObviousLine {
  let places: { readonly at: number; readonly cost: number }[] = []
  return {
    earliest(now, rest) {
      let first = now - rest
      for (const [index, { at }] of places.entries()) {
        const owed = places.slice(index).reduce((sum, { cost }) => sum + cost, 0)
        first = Math.max(first, at + owed)
      }
      return first
    },
    take: (at, cost) => void places.push({ at, cost }),
    // A place of no time that owes less than nothing.
    giveBack: (micros) => void places.push({ at: Number.NEGATIVE_INFINITY, cost: -micros }),
    shift(micros) {
      places = places.map(({ at, cost }) => ({ at: at - micros, cost }))
    },
  }
}

/** What workers share, without a database. */
export function obviousLimiter(nowMicros: () => number): Pick<SharedLimits, 'take' | 'giveBack'> {
  const lines = new Map<string, ObviousLine>()
  const lineOf = (name: string) => {
    const line = lines.get(name) ?? obviousLine()
    lines.set(name, line)
    return line
  }
  return {
    async take(wanted) {
      const clockMicros = nowMicros()
      const place = Math.max(...wanted.map((line) => lineOf(line.name).earliest(clockMicros, restOf(line))))
      for (const line of wanted) lineOf(line.name).take(place, costOf(line))
      return { waitMicros: place - clockMicros, clockMicros }
    },
    giveBack: async ({ name, micros }) => lineOf(name).giveBack(micros),
  }
}

export function costOf({ amount, intervalMicros }: SharedLine): number {
  return Math.round(amount * intervalMicros)
}

export function restOf({ amount, burst, intervalMicros }: SharedLine): number {
  return Math.round(Math.max(0, burst - amount) * intervalMicros)
}

import type { Draw, Store } from '../../store/store.ts'

/** The draws since the monitors began, in memory: a page of the monitor must not read all of them again. */
export interface DrawBook {
  /** What changed: its decision or its label. */
  touch(runId: string, questionId: string): void
  /** Up to date with what was touched and what is new, in order of arrival. */
  read(): Promise<{ readonly draws: readonly Draw[]; readonly arrivals: number }>
  /** Reads all of it again: other processes write labels too. */
  reload(): Promise<void>
}

const PAGE = 500

export function createDrawBook({ runs }: Pick<Store, 'runs'>, since: number): DrawBook {
  let draws = new Map<number, Draw>()
  let arrivalOf = new Map<string, number>()
  let last = since
  let touched = new Set<string>()

  async function readOn(): Promise<void> {
    for (;;) {
      const page = await runs.draws({ after: last, limit: PAGE })
      for (const draw of page) keep(draw)
      last = Math.max(last, page.at(-1)?.arrival ?? 0)
      if (page.length < PAGE) return
    }
  }

  function keep(draw: Draw): void {
    draws.set(draw.arrival, draw)
    arrivalOf.set(keyOf(draw.runId, draw.questionId), draw.arrival)
  }

  return {
    touch: (runId, questionId) => touched.add(keyOf(runId, questionId)),
    async read() {
      const changed = touched
      touched = new Set()
      await readOn()
      for (const key of changed) {
        const arrival = arrivalOf.get(key)
        const [draw] = arrival === undefined ? [] : await runs.draws({ after: arrival - 1, limit: 1 })
        if (draw !== undefined) keep(draw)
      }
      const arrivals = await runs.arrivals()
      return { draws: [...draws.values()].filter(({ arrival }) => arrival <= arrivals), arrivals }
    },
    async reload() {
      draws = new Map()
      arrivalOf = new Map()
      last = since
      await readOn()
    },
  }
}

function keyOf(runId: string, questionId: string): string {
  return `${runId} ${questionId}`
}

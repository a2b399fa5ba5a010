import { StoreError } from '../record/store-error.ts'

export interface Gathering<Item, Result> {
  /** Of one statement. */
  readonly most: number
  /** How many may run at a time; while so many do, what is asked gathers. */
  readonly atOnce?: number
  /** Calls back at the end of this turn of the event loop. */
  readonly later: (action: () => void) => void
  /** Results in the order of the items; all are done or none. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * One statement for what is asked in one turn of the event loop, or while earlier ones run: agents of a round ask
 * together. Where it fails, each is done alone, so that nobody's error is another's.
 */
export function gathered<Item, Result>({ most, atOnce = Infinity, later, run }: Gathering<Item, Result>) {
  let waiting: Waiting<Item, Result>[] = []
  let running = 0

  async function runSome(some: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(some.map(({ item }) => item))
      for (const [index, { resolve, reject }] of some.entries()) {
        const result = results[index]
        if (result === undefined) reject(new Error('gathered: a statement left a result out'))
        else resolve(result)
      }
    } catch (error) {
      const isGone = error instanceof StoreError && (error.kind === 'unreachable' || error.kind === 'closed')
      if (some.length === 1 || isGone) for (const { reject } of some) reject(error)
      else await Promise.all(some.map((one) => runSome([one])))
    }
  }

  function runAll(): void {
    while (waiting.length > 0 && running < atOnce) {
      const some = waiting.slice(0, most)
      waiting = waiting.slice(most)
      running += 1
      void runSome(some).finally(() => {
        running -= 1
        if (waiting.length > 0) later(runAll)
      })
    }
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length === 1 && running < atOnce) later(runAll)
    })
}

import { StoreError } from '../record/store-error.ts'

export interface Gathering<Item, Result> {
  /** The most items of one statement. */
  readonly most: number
  /** The most statements in progress at a time. Further items wait until one ends. */
  readonly atOnce?: number
  /** Schedules a callback for the end of this turn of the event loop. */
  readonly later: (action: () => void) => void
  /** Runs one statement for all items or none, and returns the results in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Combines the items of one turn of the event loop, or those that arrive while earlier statements run, into one statement.
 * The agents of a round ask at the same time. If the statement fails, each item is run alone, so that one item's error does
 * not fail the others.
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

import { StoreError } from '../../record/store-error.ts'

export interface Gathering<Item, Result> {
  /** Of one statement. */
  readonly most: number
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
 * One statement for what is asked in one turn of the event loop: agents of a round ask together. Where it fails, each is
 * done alone, so that nobody's error is another's.
 */
export function gathered<Item, Result>({ most, later, run }: Gathering<Item, Result>) {
  let waiting: Waiting<Item, Result>[] = []

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
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += most) void runSome(all.slice(start, start + most))
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (waiting.length === 1) later(runAll)
    })
}

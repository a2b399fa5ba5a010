/** Runs work one after the other: each starts from the state that the previous one left, even if that failed. */
export type InOrder = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createInOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

/** One at a time, and of those that come meanwhile only the last: what is asked never queues up. */
export interface LatestWins<Asked> {
  ask(asked: Asked): void
  /** The one under way is done. */
  done(): void
}

export function latestWins<Asked>(send: (asked: Asked) => void): LatestWins<Asked> {
  let isBusy = false
  let waiting: { readonly asked: Asked } | null = null
  const start = (asked: Asked) => {
    isBusy = true
    send(asked)
  }
  return {
    ask(asked) {
      if (isBusy) waiting = { asked }
      else start(asked)
    },
    done() {
      isBusy = false
      if (waiting === null) return
      const { asked } = waiting
      waiting = null
      start(asked)
    },
  }
}

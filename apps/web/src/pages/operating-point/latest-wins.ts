/** Runs one task at a time. Of the tasks that arrive meanwhile only the latest runs, so they never queue up. */
export interface LatestWins<Task> {
  submit(task: Task): void
  /** Reports that the running task is done. */
  done(): void
}

export function latestWins<Task>(send: (task: Task) => void): LatestWins<Task> {
  let isBusy = false
  let waiting: { readonly task: Task } | null = null
  const start = (task: Task) => {
    isBusy = true
    send(task)
  }
  return {
    submit(task) {
      if (isBusy) waiting = { task }
      else start(task)
    },
    done() {
      isBusy = false
      if (waiting === null) return
      const { task } = waiting
      waiting = null
      start(task)
    },
  }
}

import type { AddedQuestion } from './decisions/settlement.ts'
import type { CallStore, LedgerEntry, Millis, NewQuestion, NewRun, NewRunQuestion, RunQuestion } from './store.ts'

/** The state that processes on several machines share through one PostgreSQL database. SQLite has none of it. */
export interface SharedStore {
  readonly runs: SharedRunStore
  /** Adds questions one by one to runs that stay open. */
  readonly intake: IntakeStore
  /** Calls of questions that workers lease one by one. A fence is valid only for its question. */
  readonly calls: CallStore
  readonly limits: LimitStore
  readonly workers: WorkerStore
  readonly jobs: JobDatabase
}

/** The terms under which workers share a run. */
export interface SharedTerms {
  readonly createdAt: Millis
  /** JSON of the settings that a worker needs in addition to its own config. */
  readonly options: string
  readonly capMicroUsd: number | null
}

/** A run whose questions any worker with free capacity may take. */
export interface SharedRun extends SharedTerms {
  readonly runId: string
  /** Why no worker takes its questions; null: the run is not halted. */
  readonly halt: 'spend-cap' | 'stopped' | 'refused' | 'unreachable' | 'unreadable' | null
  /** What the worker that halted the run observed, and what to do next; null: nothing was recorded. */
  readonly haltWords: string | null
  /** Sums over the run's calls, updated in the same commits as the calls. Maintained only while the run has a cap. */
  readonly committedMicroUsd: number
  readonly reservedMicroUsd: number
  readonly openCalls: number
}

export interface SharedRunStore {
  /** Writes the run, its questions, its first ledger entry and the jobs of `enqueue` in one commit. */
  create(made: {
    readonly run: NewRun
    readonly shared: SharedTerms
    readonly questions: readonly NewRunQuestion[]
    readonly entry: LedgerEntry
    readonly enqueue: (database: JobDatabase) => Promise<void>
  }): Promise<void>
  /** Opens an existing run to all workers, whatever process owned it. Open calls of that process become `lost`. */
  share(made: {
    readonly runId: string
    readonly shared: SharedTerms
    readonly at: Millis
    readonly enqueue: (database: JobDatabase) => Promise<void>
  }): Promise<{ readonly lostCalls: number }>
  find(runId: string): Promise<SharedRun | null>
  /** True: one process owns the whole run, even if it is no longer alive. Workers take no questions of it. */
  isOwned(runId: string): Promise<boolean>
  /** Runs that are not done, oldest first, after the id `after`. `isFree`: only those that no single process owns. */
  open(limit: number, which?: { readonly after?: string; readonly isFree?: boolean }): Promise<readonly SharedRun[]>
  /**
   * Leases a question: from now on only the worker with this fence may write about it, and open calls of others become
   * `lost`. Null: the question is no longer pending, the run is halted, or one process owns the whole run.
   */
  take(runId: string, questionId: string, own: { readonly fence: string; readonly at: Millis }): Promise<Taken | null>
  /** Sets a pending question to `error`, and its open calls to `lost`, if it has this fence. Null: whatever its fence. */
  giveUp(runId: string, questionId: string, fence: string | null): Promise<void>
  hasPending(runId: string): Promise<boolean>
  /** Called by the owner of a question of the run. False: another worker owns it by now, so the reason is outdated. */
  halt(
    runId: string,
    reason: Exclude<SharedRun['halt'], 'stopped' | null>,
    by: { readonly questionId: string; readonly fence: string; readonly words?: string | null },
  ): Promise<boolean>
  /** From now on no worker takes its questions, until it is shared again. False: the run is not open or not shared. */
  stop(runId: string): Promise<boolean>
  /**
   * Sets the run to `done` and writes its last ledger entry. False: another process closed it first, or one process owns
   * the whole run. A question that is pending again is an error (`busy`).
   */
  close(runId: string, entry: LedgerEntry): Promise<boolean>
}

export interface IntakeStore {
  /**
   * Appends a question to an open run and, while the question is pending, the jobs of `enqueue`, in one commit. A question
   * that the run already has is returned unchanged.
   */
  add(runId: string, question: NewQuestion, enqueue: (database: JobDatabase) => Promise<void>): Promise<AddedQuestion>
  /**
   * Replaces the settings of a shared run and ends its halt, while workers continue with their questions. False: the run is not
   * shared, one process owns it, or a cap would be added or removed. Call `share` then, which sums up the calls again.
   */
  renew(runId: string, shared: Pick<SharedRun, 'options' | 'capMicroUsd'>): Promise<boolean>
  /** In one query: the questions of `pending` that were taken or have ended, and those of `begun` that have ended. */
  progress(of: {
    readonly runIds: readonly string[]
    readonly pending: readonly string[]
    readonly begun: readonly string[]
  }): Promise<readonly QuestionProgress[]>
}

/** The status `pending` means that a worker has taken the question. */
export type QuestionProgress = Pick<RunQuestion, 'runId' | 'questionId' | 'status'>

export interface Taken {
  readonly question: RunQuestion
  readonly lostCalls: number
}

/** Circuit breakers and pauses that all workers share. Times come from the clock of the database. */
export interface LimitStore {
  breakers(): Promise<readonly BreakerView[]>
  /** Counts one more consecutive hard failure. It opens the breaker if there were enough, or if this worker's probe failed. */
  failed(failure: BreakerFailure): Promise<void>
  /** Closes the breaker and resets its counts. */
  succeeded(name: string): Promise<void>
  /** True: this worker may send the one probe of an open breaker whose rest is over. No other worker may for `forMs`. */
  probe(name: string, by: string, forMs: number): Promise<boolean>
  /** Sends nothing to this provider for `forMs`. */
  pause(name: string, forMs: number): Promise<void>
}

export interface BreakerFailure {
  readonly name: string
  readonly by: string
  readonly error: string
  readonly failures: number
  readonly restMs: number
  readonly mostRestMs: number
}

/** Durations are milliseconds from now on the database's clock; null: none. */
export interface BreakerView {
  readonly name: string
  readonly failures: number
  readonly rests: number
  readonly restsForMs: number | null
  readonly probeForMs: number | null
  readonly probeBy: string | null
  readonly pausedForMs: number | null
  readonly lastError: string | null
}

export interface StoredBreaker {
  readonly name: string
  readonly failures: number
  readonly rests: number
  readonly restsUntil: number | null
  readonly probeUntil: number | null
  readonly probeBy: string | null
  readonly pausedUntil: number | null
  readonly lastError: string | null
}

export interface StoredWorker {
  readonly id: string
  /** Names the machine and the process. */
  readonly name: string
  readonly version: string
  /** JSON of the queues from which it takes jobs. */
  readonly queues: string
  /** JSON of the jobs that it had when it claimed the last of them. Some may have ended since. */
  readonly jobs: string
  readonly startedAt: Millis
  readonly seenAt: Millis
  readonly endedAt: Millis | null
  /** Debates in progress. */
  readonly debates: number
  readonly inFlight: number
  /** Since its start: questions ended, calls answered, questions taken over from others. */
  readonly ended: number
  readonly answered: number
  readonly takenOver: number
}

export interface WorkerStore {
  /** A heartbeat with the worker's state; the first one adds the worker. `seenAt` comes from the database's clock. */
  seen(worker: Omit<StoredWorker, 'seenAt' | 'jobs'>): Promise<void>
  /** Workers whose last heartbeat is at most `withinMs` old, by id. `silentMs` is its age. */
  list(withinMs: number): Promise<readonly (StoredWorker & { readonly silentMs: number })[]>
  /**
   * Keeps a database session open for this worker. The database ends the session as soon as the process ends. True: the
   * session was not open and was opened now.
   */
  keepSession(id: string): Promise<boolean>
  /** Records which jobs a worker has, so that others can reassign them after it is gone. */
  keepJobs(id: string, jobs: string): Promise<void>
  /** Workers with jobs that reported no end, sent no heartbeat for `silentMs`, and have no session. */
  gone(silentMs: number): Promise<readonly Pick<StoredWorker, 'id' | 'name' | 'queues' | 'jobs'>[]>
}

/** The interface through which pg-boss runs its statements. */
export interface JobDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

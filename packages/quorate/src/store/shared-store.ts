import type { AddedQuestion } from './decisions/settlement.ts'
import type { CallStore, LedgerEntry, Millis, NewQuestion, NewRun, NewRunQuestion, RunQuestion } from './store.ts'

/** What processes on several machines share through one PostgreSQL; SQLite has none of it. */
export interface SharedStore {
  readonly runs: SharedRunStore
  /** Of runs whose questions come one by one. */
  readonly intake: IntakeStore
  /** Of questions that are held one by one: a fence is good for its question. */
  readonly calls: CallStore
  readonly limits: LimitStore
  readonly workers: WorkerStore
  readonly jobs: JobDatabase
}

/** A run whose questions any worker with room takes. */
/** The terms under which workers share a run. */
export interface SharedTerms {
  readonly createdAt: Millis
  /** JSON: what a worker must know beside its own config. */
  readonly options: string
  readonly capMicroUsd: number | null
}

export interface SharedRun extends SharedTerms {
  readonly runId: string
  /** Why no worker takes questions of it; null: they do. */
  readonly halt: 'spend-cap' | 'stopped' | 'refused' | 'unreachable' | 'unreadable' | null
  /** What a worker saw and what to do next, where it halted the run early; else null. */
  readonly haltWords: string | null
  /** As the calls say: kept beside them, in the same commits, while there is a cap. */
  readonly committedMicroUsd: number
  readonly reservedMicroUsd: number
  readonly openCalls: number
}

export interface SharedRunStore {
  /** The run, its questions, its first ledger entry and whatever `enqueue` writes, in one commit. */
  create(made: {
    readonly run: NewRun
    readonly shared: SharedTerms
    readonly questions: readonly NewRunQuestion[]
    readonly entry: LedgerEntry
    readonly enqueue: (database: JobDatabase) => Promise<void>
  }): Promise<void>
  /** A run, wherever it was held, is anybody's again from here on; open calls of its last process are lost. */
  share(made: {
    readonly runId: string
    readonly shared: SharedTerms
    readonly at: Millis
    readonly enqueue: (database: JobDatabase) => Promise<void>
  }): Promise<{ readonly lostCalls: number }>
  find(runId: string): Promise<SharedRun | null>
  /** True of a run that one process took for itself, whether or not that still lives: workers leave it alone. */
  isOwned(runId: string): Promise<boolean>
  /** Runs that are not done, oldest first, from the one after `after` on; `isFree`: that are no process's own. */
  open(limit: number, which?: { readonly after?: string; readonly isFree?: boolean }): Promise<readonly SharedRun[]>
  /**
   * From here on only who has this fence writes about the question; what others have open of it is lost. Null: it is no longer
   * pending, or its run was taken over as a whole.
   */
  take(runId: string, questionId: string, own: { readonly fence: string; readonly at: Millis }): Promise<Taken | null>
  /** A pending question becomes an error, its open calls are lost: one that has this fence, or with null any. */
  giveUp(runId: string, questionId: string, fence: string | null): Promise<void>
  hasPending(runId: string): Promise<boolean>
  /** Called by the owner of a question of the run. False if another worker owns it by now, so the reason is outdated. */
  halt(
    runId: string,
    reason: Exclude<SharedRun['halt'], 'stopped' | null>,
    by: { readonly questionId: string; readonly fence: string; readonly words?: string | null },
  ): Promise<boolean>
  /** From here on nobody takes questions of it, until it is shared again; false where it is not open, or not shared. */
  stop(runId: string): Promise<boolean>
  /** Writes the last entry and the status once. False if another process was faster, or a question is pending again. */
  close(runId: string, entry: LedgerEntry): Promise<boolean>
}

export interface IntakeStore {
  /** One more question of an open run and whatever `enqueue` writes, in one commit; one that is there is given back. */
  add(runId: string, question: NewQuestion, enqueue: (database: JobDatabase) => Promise<void>): Promise<AddedQuestion>
  /**
   * True: the run is anybody's already, and has these settings from here on; workers with questions go on. False: it is
   * somebody's, or has a cap from now on and had none, or the other way round: `share` it.
   */
  renew(runId: string, shared: Pick<SharedRun, 'options' | 'capMicroUsd'>): Promise<boolean>
  /** In one query: of `pending` those that were taken or ended, of `begun` those that ended. */
  progress(of: {
    readonly runIds: readonly string[]
    readonly pending: readonly string[]
    readonly begun: readonly string[]
  }): Promise<readonly QuestionProgress[]>
}

/** `pending`: a worker took it. */
export type QuestionProgress = Pick<RunQuestion, 'runId' | 'questionId' | 'status'>

export interface Taken {
  readonly question: RunQuestion
  readonly lostCalls: number
}

/** What all workers know together of models and providers; time is the database's, which all of them share. */
export interface LimitStore {
  breakers(): Promise<readonly BreakerView[]>
  /** One more hard failure in a row; the rest that it led to, if it did. */
  failed(failure: BreakerFailure): Promise<void>
  /** A failure while resting says nothing new, a success ends everything. */
  succeeded(name: string): Promise<void>
  /** Whether this worker is the one that finds out; nobody else does for `forMs`. */
  probe(name: string, by: string, forMs: number): Promise<boolean>
  /** Nothing to this provider for so long. */
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

/** Times are milliseconds from now by the database's clock; null: none. */
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
  /** Of the machine and the process. */
  readonly name: string
  readonly version: string
  /** JSON: the queues that it takes from. */
  readonly queues: string
  /** JSON: the jobs that it has, as it said when it claimed the last of them; some may have ended since. */
  readonly jobs: string
  readonly startedAt: Millis
  readonly seenAt: Millis
  readonly endedAt: Millis | null
  /** Being held. */
  readonly debates: number
  readonly inFlight: number
  /** Since its start: questions brought to an end, calls answered, questions taken over from others. */
  readonly ended: number
  readonly answered: number
  readonly takenOver: number
}

export interface WorkerStore {
  /** What it says of itself; the first time it is added. `seenAt` is the database's time. */
  seen(worker: Omit<StoredWorker, 'seenAt' | 'jobs'>): Promise<void>
  /** Those seen within so many milliseconds, oldest first, and how long ago. */
  list(withinMs: number): Promise<readonly (StoredWorker & { readonly silentMs: number })[]>
  /**
   * Keeps a session of the database for this worker. The database notices the end of a process at once, and ends its
   * session. True: there was none, and it was opened.
   */
  keepSession(id: string): Promise<boolean>
  /** Writes down which jobs a worker has: those who find it gone hand them on. */
  keepJobs(id: string, jobs: string): Promise<void>
  /** Workers with jobs that did not say that they ended, are silent for so long, and have no session. */
  gone(silentMs: number): Promise<readonly Pick<StoredWorker, 'id' | 'name' | 'queues' | 'jobs'>[]>
}

/** As pg-boss asks for it. */
export interface JobDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import {
  type Budget,
  type EvaluatedFile,
  type Evaluation,
  POLICY_NAMES,
  type PolicyName,
  type SplitTally,
  splitSeeds,
  summarise,
} from '@quorate/certificate'
import { FileError } from '../files/file-error.ts'
import type { LeftOut } from '../report/left-out.ts'
import { plainText } from '../report/plain-text.ts'
import { type GridEnd, gridEnds } from './grid-ends.ts'
import type { SplitAnswer, SplitOrder, SplitWork } from './split-messages.ts'

export interface EvaluateFileOptions {
  /** One evaluation each; policies are fitted once for all of them. */
  readonly budgets: readonly Budget[]
  readonly file?: SplitWork['file']
  /** All unless told. */
  readonly policies?: readonly PolicyName[]
  /** One split each; the paper's ten unless told. */
  readonly seeds?: readonly number[]
  readonly groupConditional?: boolean
  /** At most one for each split; as many as the machine has cores unless told. Results do not depend on it. */
  readonly threads?: number
  /** Told what is being done. */
  readonly progress?: (text: string) => void
  /** Ends the threads; the reason of the signal is thrown. */
  readonly signal?: AbortSignal
}

export interface EvaluatedDebates {
  /** In the order of the budgets. */
  readonly evaluations: readonly Evaluation[]
  /** For each budget the policies whose tuning ended where their grid does. */
  readonly gridEnds: readonly (readonly GridEnd[])[]
  readonly leftOut: LeftOut
}

/** What each policy would have done on held-out debates of a file, over random halves evaluated by several threads. */
export async function evaluateFile(path: string, options: EvaluateFileOptions): Promise<EvaluatedDebates> {
  const { budgets, file = {}, policies = POLICY_NAMES, seeds = splitSeeds(10), groupConditional = false } = options
  const work: SplitWork = { path, file, policies, budgets, groupConditional }
  const threads = Math.max(1, Math.min(options.threads ?? availableParallelism(), seeds.length))
  const { splits, read } = await splitsOf(work, seeds, {
    ...{ threads, progress: options.progress ?? (() => {}), signal: options.signal },
  })
  return {
    evaluations: budgets.map(({ beta }, place) => summarise(splits, read.file, { beta, place })),
    gridEnds: budgets.map((_, place) => gridEnds(splits, place)),
    leftOut: read.leftOut,
  }
}

interface Read {
  readonly file: EvaluatedFile
  readonly leftOut: LeftOut
}

interface Threads {
  readonly threads: number
  readonly signal: AbortSignal | undefined
  readonly progress: (text: string) => void
}

/** Every thread takes the next split when it is free; the answers are put back in the order of the seeds. */
async function splitsOf(
  work: SplitWork,
  seeds: readonly number[],
  { threads, progress, signal }: Threads,
): Promise<{ splits: SplitTally[]; read: Read }> {
  const pool = Array.from({ length: threads }, () => startThread(work))
  const loaded = Promise.all(pool.map(firstSign))
  const exited = Promise.all(pool.map((thread) => new Promise((resolve) => thread.once('exit', resolve))))
  const waiting = [...seeds.keys()]
  const splits = new Map<number, SplitTally>()
  let read: Read | undefined
  const serve = (thread: Worker) =>
    new Promise<void>((resolve, reject) => {
      let place: number | undefined
      const order = () => {
        place = waiting.shift()
        const seed = place === undefined ? undefined : seeds[place]
        if (seed === undefined) return resolve()
        thread.postMessage({ kind: 'split', seed } satisfies SplitOrder)
      }
      thread.once('error', reject)
      thread.once('exit', () => reject(new Error('a thread ended before its work was done')))
      thread.on('message', (answer: SplitAnswer) => {
        if (answer.kind === 'failed') return reject(new FileError(answer.message))
        if (answer.kind === 'progress') return progress(`${splits.size} of ${seeds.length} splits, ${answer.text}`)
        if (answer.kind === 'read') {
          read ??= answer
          // Splits of different debates must not be summed up as one evaluation.
          if (!isDeepStrictEqual(answer, read))
            return reject(new FileError(`${plainText(work.path)} changed while it was read`))
        } else if (place !== undefined) splits.set(place, answer.tally)
        order()
      })
    })
  const over = new AbortController()
  try {
    await Promise.race([Promise.all(pool.map(serve)), ...(signal === undefined ? [] : [aborted(signal, over.signal)])])
  } finally {
    over.abort()
    await loaded
    for (const thread of pool) {
      if (signal?.aborted) void thread.terminate()
      else thread.postMessage({ kind: 'end' } satisfies SplitOrder)
    }
    await exited
  }
  if (read === undefined) throw new Error('no thread read the file')
  return { splits: [...seeds.keys()].flatMap((place) => splits.get(place) ?? []), read }
}

/** Rejects when the signal fires, unless it is over. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true, signal: over })
  })
}

/**
 * A thread that is ended while its modules are evaluated can take the process with it: V8 stops in a check (nodejs/node#43182).
 * Threads therefore end themselves, and only an abort ends them from outside, after their first sign.
 */
function firstSign(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    for (const sign of ['message', 'error', 'exit'] as const) thread.once(sign, () => resolve())
  })
}

/** The thread's file lies beside this one, as source or as compiled. */
function startThread(work: SplitWork): Worker {
  const extension = extname(import.meta.url)
  const url = new URL(`./split-thread${extension}`, import.meta.url)
  // Sources import the sources of the other package, which whoever runs them must switch on for a new thread too.
  const sources = extension === '.ts' ? { execArgv: ['--conditions=quorate-source'] } : {}
  return new Worker(url, { workerData: work, ...sources })
}

import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import {
  type Budget,
  type EvaluatedFile,
  type Evaluation,
  judgingFloor,
  type LeftOutGroup,
  type LocalOptions,
  POLICY_NAMES,
  type PolicyName,
  type SplitTally,
  shiftedGroups,
  splitSeeds,
  summarise,
} from '@quorate/certificate'
import { FileError } from '../files/file-error.ts'
import { forkBeside } from '../files/fork-beside.ts'
import type { FileReading, LeftOut } from '../text/left-out.ts'
import { plainText } from '../text/plain-text.ts'
import { joinDecisionParts, withDecisionParts } from './decisions-file.ts'
import type { BesideWork, SplitAnswer, SplitOrder, SplitWork } from './split-messages.ts'

/** A policy whose tuned threshold was the loosest of the paper's grid. With a wider grid it might act more. */
interface GridEnd {
  readonly name: PolicyName
  readonly splits: number
}

/** Policies that are tuned over the paper's grid, 200 points of [.5, 1]. */
const TUNED_ON_GRID: readonly PolicyName[] = [
  'conformal-risk-control',
  'selective-prediction',
  'calibrated-learned',
  'isotonic-confidence',
]
const LOOSEST = 0.5

export interface EvaluateFileOptions {
  /** One evaluation each. Policies are fitted once for all of them. */
  readonly budgets: readonly Budget[]
  readonly file?: SplitWork['file']
  /** All by default. */
  readonly policies?: readonly PolicyName[]
  /** One split each; the paper's ten seeds by default. */
  readonly seeds?: readonly number[]
  readonly groupConditional?: boolean
  /** For the policies that use neighbourhoods. */
  readonly local?: LocalOptions
  /** Number of processes, at most one for each split; by default the number of cores. Results do not depend on it. */
  readonly threads?: number
  /** Whether every group is also decided by policies that are fitted on the other groups. */
  readonly shift?: boolean
  /** Further policies and budgets, which the same processes evaluate, so that the file is read once. */
  readonly beside?: BesideWork
  /** File for the decisions on every held-out debate, one JSON object on each line. An existing file is replaced. */
  readonly decisions?: string
  /** Called with a description of the current step. */
  readonly progress?: (text: string) => void
  /** Aborting it ends the processes and throws its reason. */
  readonly signal?: AbortSignal
}

export interface EvaluatedDebates {
  /** In the order of the budgets. */
  readonly evaluations: readonly Evaluation[]
  /** In the order of the budgets of `beside`. */
  readonly beside: readonly Evaluation[]
  /** For each budget, the policies whose tuned threshold is at the end of their grid. */
  readonly gridEnds: readonly (readonly GridEnd[])[]
  readonly leftOut: LeftOut
  readonly reading: FileReading
}

/** Evaluates what each policy would have done on held-out debates of a file. Several processes evaluate random halves. */
export async function evaluateFile(path: string, options: EvaluateFileOptions): Promise<EvaluatedDebates> {
  const { budgets, file = {}, policies = POLICY_NAMES, seeds = splitSeeds(10), groupConditional = false } = options
  const { local = {}, beside = null } = options
  const work: SplitWork = { path, file, policies, budgets, groupConditional, local, beside }
  const count = Math.max(1, Math.min(options.threads ?? availableParallelism(), seeds.length))
  const progress = options.progress ?? (() => {})
  const { decisions, signal } = options
  // A certificate that decides within groups knows nothing about another group and defers it.
  const isShifted = options.shift === true && !groupConditional
  const split = (partOf: ((place: number) => string) | null) =>
    splitsOf(work, seeds, { count, progress, signal, partOf, isShifted })
  const { splits, besides, groups, read } =
    decisions === undefined
      ? await split(null)
      : await withDecisionParts(decisions, async (partOf) => {
          const found = await split(partOf)
          await joinDecisionParts(
            decisions,
            seeds.map((_, place) => partOf(place)),
          )
          return found
        })
  return {
    evaluations: budgets.map((budget, place) =>
      summarise(splits, read.file, { beta: budget.beta, place, floor: judgingFloor(budget), leftOut: groups }),
    ),
    beside: (beside?.budgets ?? []).map((budget, place) =>
      summarise(besides, read.file, { beta: budget.beta, place, floor: judgingFloor(budget), leftOut: [] }),
    ),
    gridEnds: budgets.map((_, place) => gridEnds(splits, place)),
    leftOut: read.leftOut,
    reading: read.reading,
  }
}

interface Read {
  readonly file: EvaluatedFile
  readonly leftOut: LeftOut
  readonly reading: FileReading
}

interface Processes {
  readonly count: number
  readonly signal: AbortSignal | undefined
  readonly progress: (text: string) => void
  /** File for the decisions of the split at a place of the list; null if nobody asked for them. */
  readonly partOf: ((place: number) => string) | null
  /** Whether groups are left out one by one after the splits. */
  readonly isShifted: boolean
}

type SplitTask =
  | { readonly kind: 'split'; readonly seed: number; readonly place: number }
  | { readonly kind: 'group'; readonly group: string; readonly seed: number }

/** Each process takes the next split or group when it is free. The results are put back into the order of the seeds. */
async function splitsOf(
  work: SplitWork,
  seeds: readonly number[],
  { count, progress, signal, partOf, isShifted }: Processes,
): Promise<{ splits: SplitTally[]; besides: SplitTally[]; groups: LeftOutGroup[]; read: Read }> {
  const pool: ChildProcess[] = []
  const exited: Promise<void>[] = []
  const waiting: SplitTask[] = seeds.map((seed, place) => ({ kind: 'split', seed, place }))
  const splits = new Map<number, Extract<SplitAnswer, { kind: 'split' }>>()
  const left = new Map<string, LeftOutGroup>()
  let groups: readonly string[] = []
  let read: Read | undefined
  const serve = (child: ChildProcess) =>
    new Promise<void>((resolve, reject) => {
      let task: SplitTask | undefined
      const sendNext = () => {
        task = waiting.shift()
        if (task === undefined) return resolve()
        const order: SplitOrder = task.kind === 'group' ? task : { ...task, decisions: partOf?.(task.place) ?? null }
        child.send(order)
      }
      child.on('error', reject)
      child.once('exit', (code, killer) =>
        reject(new Error(`a process that evaluated splits ended with ${killer ?? code} before its work was done`)),
      )
      child.on('message', (answer: SplitAnswer) => {
        if (answer.kind === 'failed') return reject(new FileError(answer.message))
        if (answer.kind === 'progress') return progress(`${splits.size} of ${seeds.length} splits, ${answer.text}`)
        if (answer.kind === 'read') {
          if (read === undefined && isShifted) {
            groups = shiftedGroups(answer.file)
            waiting.push(...groups.map((group) => ({ kind: 'group', group, seed: seeds[0] ?? 7 }) as const))
          }
          read ??= answer
          // Splits of different debates must not be summed up as one evaluation.
          if (!isDeepStrictEqual(answer, read))
            return reject(new FileError(`${plainText(work.path)} changed while it was read`))
        } else if (answer.kind === 'group') left.set(answer.leftOut.group, answer.leftOut)
        else if (task?.kind === 'split') splits.set(task.place, answer)
        sendNext()
      })
    })
  const finished = new AbortController()
  try {
    for (let each = 0; each < count; each++) {
      const child = startProcess(work)
      pool.push(child)
      exited.push(whenEnded(child))
    }
    await Promise.race([
      Promise.all(pool.map(serve)),
      ...(signal === undefined ? [] : [aborted(signal, finished.signal)]),
    ])
  } finally {
    finished.abort()
    for (const child of pool) child.kill('SIGKILL')
    await Promise.all(exited)
  }
  if (read === undefined) throw new Error('no process read the file')
  const inOrder = [...seeds.keys()].flatMap((place) => splits.get(place) ?? [])
  return {
    splits: inOrder.map(({ tally }) => tally),
    besides: inOrder.flatMap(({ beside }) => beside ?? []),
    groups: groups.flatMap((group) => left.get(group) ?? []),
    read,
  }
}

/** Rejects when `signal` aborts, unless `finished` aborts first. */
function aborted(signal: AbortSignal, finished: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true, signal: finished })
  })
}

/** Resolves when the process has ended. A process that could not be started emits only `error`. */
function whenEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    for (const end of ['exit', 'error'] as const) child.once(end, () => resolve())
  })
}

function startProcess(work: SplitWork): ChildProcess {
  const child = forkBeside(import.meta.url, 'split-process')
  child.send({ kind: 'work', work } satisfies SplitOrder)
  return child
}

/** The policies at the end of their grid, for the budget at this place of the list. */
export function gridEnds(splits: readonly SplitTally[], place: number): GridEnd[] {
  return TUNED_ON_GRID.flatMap((name) => {
    const ending = splits.filter(({ policies }) =>
      policies.some(
        (policy) => policy.kind === 'ran' && policy.name === name && policy.budgets[place]?.threshold === LOOSEST,
      ),
    )
    return ending.length === 0 ? [] : [{ name, splits: ending.length }]
  })
}

import { type Halves, halves, questionKeys, type ReadDebates, readDebates } from '@quorate/certificate'
import { type RecordedName, readRecorded } from '../../data/recorded.ts'
import { simulateTwin } from '../../twins/simulate-twin.ts'
import type { TwinName } from '../../twins/targets.ts'
import { withPrototypeTies } from './prototype-ties.ts'

export type ReproducedWorld =
  | {
      readonly kind: 'twin'
      readonly name: TwinName
      /** The seed of the split that this draw of the twin is for. */
      readonly draw: number
      readonly count?: number
    }
  | {
      readonly kind: 'recorded'
      readonly name: RecordedName
      /** Default: ours. */
      readonly draws?: Draws
    }

/** Whose hash breaks ties of predictions, and whose generator draws the folds of a pilot. */
export const DRAWS = ['ours', 'prototype'] as const
export type Draws = (typeof DRAWS)[number]

/** Recorded files on which every policy is run, largest first, so that the threads end together. */
export const RECORDED_FILES: readonly RecordedName[] = [
  'mmlu-pro-14models',
  'mmlu-pro-conf-12models',
  'mmlu-pro-conf-trio-mid',
  'conformal-llm-mmlu-10prompts',
  'dylan-mmlu-3agents',
  'gpqa-debate-sonnet-a',
  'gpqa-debate-sonnet-b',
]

/** Recorded files on which only COMPARED_POLICIES are run, to keep a full run short. */
export const COMPARED_FILES: readonly RecordedName[] = [
  'mmlu-pro-paper-families',
  'medagents-10models',
  'medagents-10models-growing',
  'dylan-math-open-3agents',
  'umass-judges-triviaqa',
]

/** Recorded files for which the prototype of `total` prints figures, on its own halves. */
export const PROTOTYPE_FILES = [
  'mmlu-pro-conf-12models',
  'mmlu-pro-14models',
  'mmlu-pro-conf-trio-mid',
  'dylan-mmlu-3agents',
  'medagents-10models',
  'medagents-10models-growing',
  'umass-judges-triviaqa',
  'mmlu-pro-paper-families',
  'dylan-math-open-3agents',
] as const satisfies readonly RecordedName[]

/** A recorded file that the paper's tables are made from. */
export interface RealWorld {
  readonly name: RecordedName
  readonly title: string
  /** The benchmark of the paper that its questions come from; null if the paper does not use it. */
  readonly like: TwinName | null
  /** How it differs from the paper's debates. */
  readonly differs: string
}

export const REAL_WORLDS: readonly RealWorld[] = [
  {
    name: 'mmlu-pro-trio-thinking',
    title: 'MMLU-Pro, Qwen thinking',
    like: 'mmlu-pro',
    differs:
      'Claude 3.5 Haiku, DeepSeek-R1 and Qwen3-32B thinking on the eight domains: one round, no debate, an older Haiku than the paper’s 4.5',
  },
  {
    name: 'mmlu-pro-trio',
    title: 'MMLU-Pro, Qwen not thinking',
    like: 'mmlu-pro',
    differs: 'the same with Qwen3-32B not thinking: one round, no debate, an older Haiku',
  },
  {
    name: 'dylan-mmlu-3agents',
    title: 'MMLU, DyLAN',
    like: null,
    differs:
      'a benchmark that the paper does not use: three copies of gpt-3.5-turbo, votes only, debates that end when all agree, later rounds carried forward',
  },
  {
    name: 'gpqa-debate-sonnet-a',
    title: 'GPQA, Sonnet a',
    like: 'gpqa',
    differs: 'GPQA Diamond, 198 questions, three copies of one model, votes only, three full rounds',
  },
  {
    name: 'gpqa-debate-sonnet-b',
    title: 'GPQA, Sonnet b',
    like: 'gpqa',
    differs: 'a second run over the same 198 questions',
  },
]

/** Our profiles that users choose among, and the strongest baseline that bounds the total alone. */
export const COMPARED_POLICIES = ['total', 'cells', 'tight', 'learn-then-test'] as const

/**
 * Each split has its own draw of the twin, at the size of the benchmark, so one unlucky draw moves no mean. Its seed is
 * that of the split plus this, so that the halves share no randomness with the debates.
 */
export const TWIN_SEED = 2026

/** A training and a test half. */
export interface SplitDebates {
  readonly train: ReadDebates
  readonly test: ReadDebates
}

export function openWorld(world: ReproducedWorld): ReadDebates {
  if (world.kind === 'recorded') {
    const debates = readRecorded(world.name)
    return readDebates(world.draws === 'prototype' ? withPrototypeTies(debates) : debates)
  }
  const { draw, count } = world
  const size = count === undefined ? {} : { count }
  const debates = simulateTwin(world.name, { seed: TWIN_SEED + draw, beliefs: 'soft', ...size })
  return readDebates(debates, { beliefs: 'stated' })
}

/** A random half of the questions for training and the other half for testing. */
export function splitInHalves(read: ReadDebates, seed: number): SplitDebates {
  const { train, test } = halvesOf(read, seed)
  return { train: pickDebates(read, train), test: pickDebates(read, test) }
}

export function halvesOf({ debates }: ReadDebates, seed: number): Halves {
  return halves(questionKeys(debates), seed)
}

export function pickDebates({ reading, debates }: ReadDebates, rows: ArrayLike<number>): ReadDebates {
  return { reading, debates: Array.from(rows, (row) => debates[row]!) }
}

/** Share of debates whose answer after the last round is wrong. */
export function finalError({ debates }: ReadDebates): number {
  return debates.filter(({ record, rounds }) => rounds.at(-1)?.prediction !== record.gold).length / debates.length
}

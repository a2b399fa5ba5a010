import { hash } from 'node:crypto'
import { canonicalJson } from '@quorate/certificate'
import { FileError } from '../../files/file-error.ts'
import type { Question } from '../../record/question.ts'
import { plainText } from '../../text/plain-text.ts'
import { optionLetter } from '../option-letter.ts'
import { readArc } from './arc.ts'
import { readBbh } from './bbh.ts'
import { readGpqa } from './gpqa.ts'
import { readLogiqa, readLogiqa2 } from './logiqa.ts'
import { readMmluPro } from './mmlu-pro.ts'
import { readMusr } from './musr.ts'

/** Benchmarks whose files can be read as they are published. */
export const BENCHMARK_FORMATS = ['gpqa', 'bbh', 'logiqa', 'logiqa2', 'arc', 'musr', 'mmlu-pro'] as const
export type BenchmarkFormat = (typeof BENCHMARK_FORMATS)[number]

/** A question of a benchmark; its options get the letters A, B, C and so on. */
export interface BenchmarkQuestion {
  /** The benchmark's own id; null if it has none. */
  readonly id: string | null
  readonly group: string | null
  readonly question: string
  /** Names of the options; absent: letters. */
  readonly names?: readonly string[]
  readonly texts: readonly string[]
  /** Index of the right option. */
  readonly gold: number
}

export interface BenchmarkOptions {
  /** Seed of the order of options, if the file always has the right one first. */
  readonly seed: number
}

type BenchmarkReader = (path: string, options: BenchmarkOptions) => AsyncIterable<BenchmarkQuestion>

const READERS: Readonly<Record<BenchmarkFormat, BenchmarkReader>> = {
  gpqa: readGpqa,
  bbh: readBbh,
  logiqa: readLogiqa,
  logiqa2: readLogiqa2,
  arc: readArc,
  musr: readMusr,
  'mmlu-pro': readMmluPro,
}

export interface LoadedBenchmark {
  readonly questions: readonly Question[]
  /** Questions that occur again. They are left out, because a question counts once. */
  readonly repeated: number
  /** Questions that occur with different right answers, or whose right answer is among the options twice. All are left out. */
  readonly contradictory: number
}

/** The questions of a benchmark's files, each once. */
export async function loadBenchmark(
  format: BenchmarkFormat,
  paths: readonly string[],
  options: BenchmarkOptions,
): Promise<LoadedBenchmark> {
  const found = new Map<string, Found>()
  let repeated = 0
  for (const path of paths) {
    let count = 0
    for await (const question of READERS[format](path, options)) {
      count += 1
      const right = question.texts[question.gold] ?? ''
      const key = hash('sha256', canonicalJson([question.question.trim(), question.texts.toSorted()]), 'hex')
      const first = found.get(key)
      const isTwofold = question.texts.filter((text) => text === right).length > 1
      if (first === undefined) found.set(key, { question, right, isContradictory: isTwofold })
      else if (first.right === right) repeated += 1
      else found.set(key, { ...first, isContradictory: true })
    }
    if (count === 0) throw new FileError(`${plainText(path)}: expected questions of ${format}, got none`)
  }
  const kept = [...found].filter(([, { isContradictory }]) => !isContradictory)
  return {
    questions: withIds(kept, format),
    repeated,
    contradictory: found.size - kept.length,
  }
}

interface Found {
  readonly question: BenchmarkQuestion
  readonly right: string
  readonly isContradictory: boolean
}

/** The benchmark's own ids if every question has a unique one, else a digest of the question. */
function withIds(found: readonly (readonly [string, Found])[], format: BenchmarkFormat): readonly Question[] {
  const ids = new Set(found.flatMap(([, { question }]) => (question.id === null ? [] : [question.id])))
  const hasOwn = ids.size === found.length
  return found.map(([key, { question: own }]) => {
    const { id, group, question, names, texts, gold } = own
    const nameOf = (index: number) => names?.[index] ?? optionLetter(index)
    return {
      id: hasOwn && id !== null ? `${format}-${id}` : `${format}-${key.slice(0, 16)}`,
      group,
      question,
      options: texts.map((text, index) => ({ name: nameOf(index), text })),
      gold: nameOf(gold),
    }
  })
}

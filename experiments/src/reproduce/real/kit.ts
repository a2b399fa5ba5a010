import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Debate, splitSeeds } from '@quorate/certificate'
import { TARGETS } from '../../twins/targets.ts'
import { realResultText } from './real-result.ts'

/** Benchmarks of the paper that the kit debates with real models. */
export const KIT_BENCHMARKS = ['gpqa', 'mmlu-pro'] as const
export type KitBenchmark = (typeof KIT_BENCHMARKS)[number]

export interface KitOptions {
  readonly benchmark: KitBenchmark
  /** Files as published. Their licences do not allow the repository to include them. */
  readonly files: readonly string[]
  readonly folder: string
  readonly splits: number
  /** Flags for `quorate debate`, passed on unchanged. */
  readonly debateFlags: readonly string[]
  readonly isDryRun: boolean
}

export const KIT_USAGE = `npm run reproduce -- --real gpqa|mmlu-pro FILE... [--folder DIR] [--dry-run] [--max-cost USD] [--resume] [--splits N]

  Debates a benchmark of the paper with real models and prints its tables beside the paper's.
  FILE...     the benchmark as it is published: gpqa_extended.csv, or the test split of MMLU-Pro as JSON lines or Parquet
  --folder    config, questions, store, debates and TABLES.md (default: reproduce-NAME); an existing config is used, else that of
              quorate init --preset paper is written. Keys come from the environment
  --dry-run   prints calls, tokens and cost, and sends no request
  --max-cost  spend cap in US dollars; --resume continues a run that was stopped, without repeating answered calls
  --retry-errors, --allow-unpriced, --trust-config, --concurrency N: as of quorate debate
  --splits N  random halves, 1 to 10 (default 10)`

/** Returns a sentence if the arguments are invalid. */
export function readKitOptions(words: readonly string[]): KitOptions | string {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: FLAGS, allowPositionals: true })
    const benchmark = KIT_BENCHMARKS.find((name) => name === values.real)
    if (benchmark === undefined)
      return `--real: expected ${KIT_BENCHMARKS.join(' or ')}, got ${values.real ?? 'nothing'}`
    if (positionals.length === 0) return `--real ${benchmark} needs the files of the benchmark`
    const splits = Number(values.splits ?? 10)
    if (!(Number.isInteger(splits) && splits >= 1 && splits <= 10))
      return `--splits: expected 1 to 10, got ${values.splits}`
    const passed = PASSED.flatMap((name) => {
      const value = values[name]
      if (value === undefined || value === false) return []
      return value === true ? [`--${name}`] : [`--${name}`, value]
    })
    const folder = resolve(values.folder ?? `reproduce-${benchmark}`)
    const isDryRun = values['dry-run'] ?? false
    return { benchmark, files: positionals.map((file) => resolve(file)), folder, splits, debateFlags: passed, isDryRun }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const FLAGS = {
  real: { type: 'string' },
  folder: { type: 'string' },
  splits: { type: 'string' },
  'dry-run': { type: 'boolean' },
  resume: { type: 'boolean' },
  'retry-errors': { type: 'boolean' },
  'max-cost': { type: 'string' },
  concurrency: { type: 'string' },
  'allow-unpriced': { type: 'boolean' },
  'trust-config': { type: 'boolean' },
} as const

const PASSED = ['resume', 'retry-errors', 'max-cost', 'concurrency', 'allow-unpriced', 'trust-config'] as const

/** What the kit needs from its environment. */
export interface KitWorld {
  /** Runs a command of quorate in a folder and returns its exit code. */
  quorate(args: readonly string[], folder: string): Promise<number>
  print(text: string): void
}

const CONFIGS = ['quorate.config.yaml', 'quorate.config.yml', 'quorate.config.json']

/** Makes the tables from the files of a benchmark, and returns the exit code of the last step. */
export async function runKit(options: KitOptions, { quorate, print }: KitWorld): Promise<number> {
  const { benchmark, files, folder, debateFlags, isDryRun } = options
  mkdirSync(folder, { recursive: true })
  const at = (name: string) => join(folder, name)
  if (!CONFIGS.some((name) => existsSync(at(name)))) {
    const code = await quorate(['init', '.', '--preset', 'paper', '--yes'], folder)
    if (code !== 0) return code
  }
  const imported = await quorate(['import', ...files, '--format', benchmark, '--out', 'questions.jsonl'], folder)
  if (imported !== 0) return imported
  print(keepPaperDomains(at('questions.jsonl'), benchmark))
  const debate = ['debate', 'questions.jsonl', ...debateFlags]
  if (isDryRun) return quorate([...debate, '--dry-run'], folder)
  const debated = await quorate([...debate, '--out', 'debates.jsonl'], folder)
  if (debated !== 0) return debated
  const tables = realResultText(debatesIn(at('debates.jsonl')), { benchmark, seeds: splitSeeds(options.splits) })
  writeFileSync(at('TABLES.md'), tables)
  print(`${tables}\nreproduce: wrote ${at('TABLES.md')}\n`)
  return 0
}

/** The paper uses eight domains of MMLU-Pro. */
function keepPaperDomains(path: string, benchmark: KitBenchmark): string {
  const lines = linesIn(path)
  if (benchmark !== 'mmlu-pro') return `reproduce: ${lines.length} questions of ${benchmark}\n`
  const domains = new Set(TARGETS['mmlu-pro'].subgroups.map(({ name }) => name))
  const kept = lines.filter((line) => domains.has(String((JSON.parse(line) as { group?: unknown }).group))) // as imported
  writeFileSync(path, `${kept.join('\n')}\n`)
  return `reproduce: ${kept.length} questions of the paper's ${domains.size} domains, of ${lines.length}\n`
}

function debatesIn(path: string): Debate[] {
  return linesIn(path).map((line) => JSON.parse(line) as Debate) // read and checked by readDebates
}

function linesIn(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

import { type ReadColumnMap, readColumnMap } from '../questions/column-map.ts'
import type { ColumnMap } from '../questions/csv-questions.ts'
import type { OpenRunOptions } from '../run/open-run.ts'
import { CONFIG_FLAGS, CONFIG_FLAGS_HELP } from './config-flags.ts'
import type { Flags, FlagTypes } from './parse-flags.ts'
import { quoted } from './quoted.ts'
import { UsageError } from './usage-error.ts'

/** Flags of debate and decide. */
export const RUN_FLAGS = Object.freeze({
  ...CONFIG_FLAGS,
  resume: 'boolean',
  'resume-run': 'string',
  'retry-errors': 'boolean',
  'allow-unpriced': 'boolean',
  'trust-config': 'boolean',
  detach: 'boolean',
  'dry-run': 'boolean',
  out: 'string',
  json: 'boolean',
  'no-color': 'boolean',
}) satisfies FlagTypes

export const RUN_FLAGS_HELP = `  --resume [RUN]     go on with a run: the latest over these questions and this
                     config, or the one with this id; no answered call is asked
                     again
  --retry-errors     resume, and ask questions again that failed
  --detach           leave the debates to quorate worker, here or on other
                     machines, and return at once; needs PostgreSQL
  --dry-run          calls, tokens and money, low / expected / high; asks nobody
  --map FIELD=COLUMN where a CSV file has id, question, options, gold, group;
                     may be repeated; options.A=COLUMN gives one option its
                     column
  --out FILE         also write the result as JSONL
  --allow-unpriced   ask models without a known price although there is a spend
                     cap
  --trust-config     let the config send its keys to hosts that are not their
                     own
${CONFIG_FLAGS_HELP}  --json             one JSON object on standard output and nothing else
  --no-color         plain text, as with NO_COLOR=1
`

export interface RunArguments {
  /** Without --map, and with `--resume RUN` as one flag. */
  readonly rest: readonly string[]
  readonly columns: ColumnMap | undefined
}

/** An id, or its first eight letters or more: no file is called so. */
const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f-]{0,27})?$/i

export function runArguments(args: readonly string[]): RunArguments {
  const { rest, entries } = mapArguments(args)
  return { rest, columns: columnsOf(entries) }
}

/** Takes out what the common parser has no words for: a flag that is repeated, and one with or without a value. */
export function mapArguments(args: readonly string[]): {
  readonly rest: readonly string[]
  /** What stood after each --map. */
  readonly entries: readonly string[]
} {
  const rest: string[] = []
  const entries: string[] = []
  for (let index = 0; index < args.length; index++) {
    const [argument = '', next] = [args[index], args[index + 1]]
    if (argument === '--map') {
      if (next === undefined) throw new UsageError('--map needs a value such as question=Text, got none')
      entries.push(next)
      index += 1
    } else if (argument.startsWith('--map=')) entries.push(argument.slice('--map='.length))
    else if (argument === '--resume' && next !== undefined && RUN_ID.test(next)) {
      rest.push('--resume-run', next)
      index += 1
    } else if (argument.startsWith('--resume=')) rest.push('--resume-run', argument.slice('--resume='.length))
    else rest.push(argument)
  }
  return { rest, entries }
}

export function resumeFlag(flags: Flags): OpenRunOptions['resume'] {
  const id = flags.get('resume-run')
  if (typeof id === 'string') return { kind: 'id', id }
  return { kind: flags.has('resume') || flags.has('retry-errors') ? 'latest' : 'new' }
}

export function columnsOf(entries: readonly string[]): ColumnMap | undefined {
  return mapFlag(entries, readColumnMap)
}

/** Undefined where there is no --map. */
export function mapFlag<Map>(
  entries: readonly string[],
  reader: (entries: readonly string[]) => ReadColumnMap<Map>,
): Map | undefined {
  if (entries.length === 0) return undefined
  const read = reader(entries)
  if (read.kind === 'map') return read.map
  throw new UsageError(`--map must be ${read.expected}, got ${quoted(read.entry)}`)
}

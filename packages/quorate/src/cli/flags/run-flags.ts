import { type ReadColumnMap, readColumnMap } from '../../questions/column-map.ts'
import type { ColumnMap } from '../../questions/csv-questions.ts'
import type { OpenRunOptions } from '../../run/open-run.ts'
import { USUAL_UNREADABLE } from '../../run/run-plan.ts'
import { quoted } from '../quoted.ts'
import { UsageError } from '../usage-error.ts'
import { CONFIG_FLAGS } from './config-flags.ts'
import { type Flags, type FlagTable, numberFlag, OUTPUT_FLAGS } from './parse-flags.ts'

/** Flags of debate and decide. `runArguments` reads --map and the value of --resume before the parser does. */
export const RUN_FLAGS = Object.freeze({
  resume: {
    optionalValue: 'RUN',
    about:
      'continue a run: the latest with these questions and this config, or the one with this ID. No answered call is ' +
      'sent again',
  },
  'resume-run': { value: 'RUN' },
  'retry-errors': { about: 'resume, and debate failed questions again' },
  detach: {
    about: 'leave the debates to quorate worker, here or on other machines, and return immediately; needs PostgreSQL',
  },
  'dry-run': { about: 'print a low, expected and high estimate of calls, tokens and cost, without calling a model' },
  map: {
    value: 'FIELD=COLUMN',
    about:
      'take id, question, options, gold or group from this column of a CSV file; may be repeated. options.A=COLUMN ' +
      'names the column of one option',
  },
  'skip-bad': {
    value: 'FILE',
    about: 'leave out rows that are not valid questions, and write each to FILE with its problem',
  },
  out: { value: 'FILE', about: 'also write the result as JSONL' },
  'max-unreadable': {
    value: 'SHARE',
    about: 'stop when more than this share of the answers cannot be read (default 0.5; 1 never stops)',
  },
  'allow-unpriced': { about: 'call models without a known price although there is a spend cap' },
  'trust-config': { about: 'let the config send its keys to hosts that are not their own' },
  ...CONFIG_FLAGS,
  ...OUTPUT_FLAGS,
}) satisfies FlagTable

/** Flags of `debate` alone. Debates for calibration are not urgent, so they can use batches. */
export const BATCH_FLAGS = Object.freeze({
  batch: {
    about:
      'send the calls to OpenAI and Anthropic in batches, one per round, at half the price; a batch takes up to a day. ' +
      'After a stop or a kill, --resume --batch continues without sending an answered call again',
  },
  poll: { value: 'SECONDS', about: 'with --batch: how often to poll for its answers (default 60)' },
}) satisfies FlagTable

export function pollFlag(flags: Flags): number {
  return numberFlag(flags, 'poll', {
    fallback: 60,
    expected: 'seconds from 0.05 to 3600',
    accepts: (value) => value >= 0.05 && value <= 3600,
  })
}

export interface RunArguments {
  /** The arguments without `--map`, and with `--resume RUN` replaced by `--resume-run RUN`. */
  readonly rest: readonly string[]
  readonly columns: ColumnMap | undefined
}

/** A run ID or a prefix of at least eight hex digits. No file of questions is expected to have such a name. */
const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f-]{0,27})?$/i

export function runArguments(args: readonly string[]): RunArguments {
  const { rest, entries } = mapArguments(args)
  return { rest, columns: columnsOf(entries) }
}

/** Handles what the common parser cannot: a flag that may be repeated, and a flag with an optional value. */
export function mapArguments(args: readonly string[]): {
  readonly rest: readonly string[]
  /** The value of each `--map`. */
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

export function maxUnreadableFlag(flags: Flags): number {
  return numberFlag(flags, 'max-unreadable', {
    fallback: USUAL_UNREADABLE,
    expected: 'a share from 0 to 1, such as 0.5',
    accepts: (value) => value >= 0 && value <= 1,
  })
}

export function resumeFlag(flags: Flags): OpenRunOptions['resume'] {
  const id = flags.get('resume-run')
  if (typeof id === 'string') return { kind: 'id', id }
  return { kind: flags.has('resume') || flags.has('retry-errors') ? 'latest' : 'new' }
}

export function columnsOf(entries: readonly string[]): ColumnMap | undefined {
  return mapFlag(entries, readColumnMap)
}

/** Undefined without `--map`. */
export function mapFlag<Map>(
  entries: readonly string[],
  reader: (entries: readonly string[]) => ReadColumnMap<Map>,
): Map | undefined {
  if (entries.length === 0) return undefined
  const read = reader(entries)
  if (read.kind === 'map') return read.map
  throw new UsageError(`--map must be ${read.expected}, got ${quoted(read.entry)}`)
}

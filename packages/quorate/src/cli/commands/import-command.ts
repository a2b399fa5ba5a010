import { createIds } from '../../panel/process-world.ts'
import type { Store } from '../../store/store.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { fileText, programName } from '../command-line.ts'
import { EXIT } from '../exit-code.ts'
import { STORE_FLAGS } from '../flags/config-flags.ts'
import { wordFlag } from '../flags/debate-flags.ts'
import { type Flags, type FlagTable, flagsHelp, parseFlags } from '../flags/parse-flags.ts'
import { columnsOf, mapArguments, mapFlag } from '../flags/run-flags.ts'
import { shortRunId } from '../text/next-steps.ts'
import { UsageError } from '../usage-error.ts'

const KINDS = ['questions', 'debates', 'labels'] as const

const FLAGS = {
  as: { value: 'WHAT', about: 'debates | labels | questions' },
  map: {
    value: 'FIELD=COLUMN',
    about:
      'column of a CSV file that has a field; may be repeated. options.A=COLUMN and beliefs.A=COLUMN give one option its ' +
      'column',
  },
  replace: { about: 'let labels contradict earlier ones and replace them' },
  out: { value: 'FILE', about: 'file to write questions to' },
  ...STORE_FLAGS,
} satisfies FlagTable

export const importCommand: Command = {
  name: 'import',
  help: `quorate import FILE --as debates|labels|questions [flags]

debates: debates held elsewhere become a run, for quorate calibrate --run.
JSONL, or CSV with a turn a row: id, round (from 1), agent, answer (blank: an
abstention), options, and where there are any question, gold, group, confidence
(0 to 1), beliefs, text. The rows of a debate stand together; options, gold,
group and question may stand in the first alone.
labels: {id, gold} a line, or CSV, for questions of earlier runs.
questions: CSV becomes the JSONL that debate and decide read (--out FILE).

CSV has commas, semicolons or tabs, as its header says. All of a file is
imported or, where a line is wrong, nothing.

Flags
${flagsHelp(FLAGS)}
Examples
  quorate import debates.jsonl --as debates
  quorate import panel.csv --as debates --map agent=Model --map answer=Says
  quorate import labels.csv --as labels --map id=Case --map gold=Verdict
`,
  async run(args, terminal) {
    const { rest, entries } = mapArguments(args)
    const { flags, operands } = parseFlags('import', rest, FLAGS, ['FILE'])
    const kind = wordFlag(flags, 'as', KINDS)
    if (kind === undefined) throw new UsageError(`import: --as is missing: one of ${KINDS.join(', ')}`)
    const request = { path: operands[0] ?? '', flags, entries }
    const told = kind === 'questions' ? await importQuestions(request) : await importToStore(kind, request)
    terminal.write(flags.has('json') ? jsonLine({ quorate: 1, as: kind, ...told.json }) : `${told.text}\n`)
    return EXIT.ok
  },
}

interface Request {
  readonly path: string
  readonly flags: Flags
  /** What stood after each --map. */
  readonly entries: readonly string[]
}

interface Told {
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

async function importQuestions({ path, flags, entries }: Request): Promise<Told> {
  const out = flags.get('out')
  if (typeof out !== 'string' || out === '') throw new UsageError('import --as questions: --out FILE is missing')
  const { questionLines } = await import('../../run/exchange/question-lines.ts')
  const { writeLines } = await import('../../run/exchange/write-lines.ts')
  const count = await writeLines(out, questionLines(path, columnsOf(entries)))
  const next = `Next  ${programName()} debate ${fileText(out)}`
  const text = `Wrote ${countOf(count, 'question')} to ${plainText(out)}.\n${plainText(next)}`
  return { text, json: { questions: count, file: out } }
}

async function importToStore(kind: 'debates' | 'labels', request: Request): Promise<Told> {
  const { openStoreOf } = await import('../configured-store.ts')
  const store = await openStoreOf(request.flags)
  try {
    return kind === 'debates' ? await importRun(store, request) : await importGold(store, request)
  } finally {
    await store.close()
  }
}

async function importRun(store: Store, { path, entries }: Request): Promise<Told> {
  const { importDebates } = await import('../../run/exchange/import-debates.ts')
  const { debatesOfFile } = await import('../../run/calibration/recorded-debates.ts')
  const { csvDebates } = await import('../../run/exchange/csv-debates.ts')
  const { readDebateColumns } = await import('../../run/exchange/debate-columns.ts')
  const columns = mapFlag(entries, readDebateColumns)
  const isCsv = columns !== undefined || path.toLowerCase().endsWith('.csv')
  const read = () => (isCsv ? csvDebates(path, columns) : debatesOfFile(path))
  const tools = { now: Date.now, newId: createIds(), where: plainText(path) }
  const { id } = await importDebates(store, read, tools)
  const { done } = await store.runs.counts(id)
  const next = `Next  ${programName()} calibrate --run ${shortRunId(id)} --out certificate.json`
  return { text: `Imported ${countOf(done, 'debate')} as run ${id}.\n${next}`, json: { debates: done, runId: id } }
}

async function importGold(store: Store, { path, entries, flags }: Request): Promise<Told> {
  const { importLabels } = await import('../../run/exchange/import-labels.ts')
  const columns = columnsOf(entries)
  const file = { path, isReplacing: flags.has('replace'), ...(columns === undefined ? {} : { columns }) }
  const count = await importLabels(store, file, { now: Date.now, newId: createIds() })
  return { text: `Imported ${countOf(count, 'label')}.`, json: { labels: count } }
}

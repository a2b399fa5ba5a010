import { createIds } from '../../panel/process-world.ts'
import type { BenchmarkFormat } from '../../questions/benchmarks/load-benchmark.ts'
import { shortRunId } from '../../record/state-words.ts'
import type { LogFormat } from '../../run/exchange/import-logs.ts'
import type { Store } from '../../store/store.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { fileText, programName, storeFlagsText } from '../command-line.ts'
import { EXIT } from '../exit-code.ts'
import { STORE_FLAGS } from '../flags/config-flags.ts'
import {
  type Flags,
  type FlagTable,
  flagsHelp,
  integersFlag,
  numberFlag,
  parseFlags,
  wordFlag,
} from '../flags/parse-flags.ts'
import { columnsOf, mapArguments, mapFlag } from '../flags/run-flags.ts'
import { UsageError } from '../usage-error.ts'

const KINDS = ['questions', 'debates', 'labels'] as const

const FLAGS = {
  format: {
    value: 'NAME',
    about:
      'lm-eval, inspect, promptfoo or helm: the models of these logs join the panel in the order of their files; the ' +
      'debates become a run, or are written to --out. gpqa, bbh, logiqa, logiqa2, arc, musr or mmlu-pro: questions of ' +
      'the benchmark, written to --out',
  },
  seed: { value: 'N', about: 'seed that shuffles the options of gpqa (default 1)' },
  only: {
    value: 'NAME',
    about: 'if a log has several: the filter of lm-eval, the scorer of inspect, the prompt of promptfoo',
  },
  sizes: {
    value: 'N,N',
    about: 'with --format: number of models in the panel in each round (default: one more in each round)',
  },
  partial: { about: 'with --format: leave out questions that not every model answered, and count them' },
  'mixed-settings': { about: 'with --format: accept that models were sampled with different settings' },
  as: { value: 'WHAT', about: 'debates | labels | questions' },
  map: {
    value: 'FIELD=COLUMN',
    about:
      'take a field from this column of a CSV file; may be repeated. options.A=COLUMN and beliefs.A=COLUMN name the ' +
      'column of one option. With --format: the field of a log with question, options, gold or group',
  },
  'skip-unknown': { about: 'leave out labels of questions that no run has asked, and count them' },
  replace: { about: 'let labels replace earlier ones that they contradict' },
  out: { value: 'FILE', about: 'file to write the questions, or the debates of --format, to' },
  ...STORE_FLAGS,
} satisfies FlagTable

export const importCommand: Command = {
  name: 'import',
  help: `quorate import FILE --as debates|labels|questions [flags]
quorate import FILE... --format lm-eval|inspect|promptfoo|helm [flags]
quorate import FILE... --format BENCHMARK --out FILE

debates: makes a run from the debates of another program, for quorate calibrate
--run. The file is JSONL, or CSV with one turn per row: id, round (from 1),
agent, answer (blank for an abstention), options and, if known, question, gold,
group, confidence (0 to 1), beliefs and text. The rows of a debate must be
together. Only its first row needs options, gold, group and question.
labels: adds labels to questions of earlier runs, for example when an outcome is
known after a month. The file has one {id, gold} per line, or is CSV. If its
name begins with labels, --as is not needed. A label of a question that was
debated or sampled for a spot check counts in the next calibration. A label of a
spot check also counts in the monitor. A label of another deferral is its final
answer and counts in neither.
questions: converts CSV to the JSONL that debate and decide read (--out FILE).

--format turns the logs of several models over the same questions into debates
of a growing panel, without a call. Answers are joined by the text of the
question and its options. Repeated answers of a model count as runs of one
question. It also turns the published files of benchmarks into questions.
Repeated questions count once, and questions with contradictory answers are left
out.

CSV may use commas, semicolons or tabs. A file is imported as a whole: if one
line is wrong, nothing is imported.

Flags
${flagsHelp(FLAGS)}
Examples
  quorate import debates.jsonl --as debates
  quorate import panel.csv --as debates --map agent=Model --map answer=Says
  quorate import labels.csv --as labels --map id=Case --map gold=Verdict
  quorate import logs/*/samples_*.jsonl --format lm-eval --out debates.jsonl
  quorate import gpqa_extended.csv --format gpqa --seed 7 --out questions.jsonl
`,
  async run(args, terminal) {
    const { rest, entries } = mapArguments(args)
    const hasFormat = rest.some((argument) => argument === '--format' || argument.startsWith('--format='))
    const { flags, operands } = parseFlags('import', rest, FLAGS, [hasFormat ? 'FILE...' : 'FILE'])
    const request = { path: operands[0] ?? '', flags, entries }
    const { kind, report } = hasFormat ? await importFormat(operands, request) : await importOf(request)
    terminal.write(flags.has('json') ? jsonLine({ quorate: 1, as: kind, ...report.json }) : `${report.text}\n`)
    return EXIT.ok
  },
}

interface Imported {
  readonly kind: (typeof KINDS)[number]
  readonly report: ImportReport
}

async function importOf(request: ImportRequest): Promise<Imported> {
  const { flags } = request
  const kind =
    wordFlag(flags, 'as', KINDS) ?? (/(?:^|[/\\])labels\b[^/\\]*$/iu.test(request.path) ? 'labels' : undefined)
  if (kind === undefined) throw new UsageError(`import: --as is missing: one of ${KINDS.join(', ')}`)
  const misplaced = FORMAT_ONLY.find((name) => flags.has(name))
  if (misplaced !== undefined) throw new UsageError(`import: --${misplaced} needs --format`)
  return { kind, report: kind === 'questions' ? await importQuestions(request) : await importToStore(kind, request) }
}

const LOG_ONLY = ['only', 'sizes', 'partial', 'mixed-settings'] as const
const FORMAT_ONLY = [...LOG_ONLY, 'seed'] as const
const LOG_FIELDS = ['question', 'options', 'gold', 'group']

async function importFormat(paths: readonly string[], request: ImportRequest): Promise<Imported> {
  const { flags } = request
  const { LOG_FORMATS } = await import('../../run/exchange/import-logs.ts')
  const { BENCHMARK_FORMATS } = await import('../../questions/benchmarks/load-benchmark.ts')
  const format = wordFlag(flags, 'format', [...LOG_FORMATS, ...BENCHMARK_FORMATS])
  const tool = LOG_FORMATS.find((name) => name === format)
  const benchmark = BENCHMARK_FORMATS.find((name) => name === format)
  const kind = benchmark === undefined ? 'debates' : 'questions'
  const as = flags.get('as')
  if (as !== undefined && as !== kind) throw new UsageError(`import: --format ${format} gives ${kind}. Leave --as out`)
  if (benchmark !== undefined) return { kind, report: await importBenchmark(benchmark, paths, request) }
  if (flags.has('seed')) throw new UsageError('import: --seed needs --format gpqa')
  return { kind, report: await importLogFiles(tool ?? LOG_FORMATS[0], paths, request) }
}

/** Writes the questions of a benchmark to a file. */
async function importBenchmark(
  format: BenchmarkFormat,
  paths: readonly string[],
  { flags, entries }: ImportRequest,
): Promise<ImportReport> {
  const misplaced = LOG_ONLY.find((name) => flags.has(name)) ?? (entries.length > 0 ? 'map' : undefined)
  if (misplaced !== undefined) throw new UsageError(`import: --${misplaced} is about logs, not about ${format}`)
  const out = flags.get('out')
  if (typeof out !== 'string' || out === '') throw new UsageError(`import --format ${format}: --out FILE is missing`)
  const { loadBenchmark } = await import('../../questions/benchmarks/load-benchmark.ts')
  const { writeWhole } = await import('../../files/write-whole.ts')
  const seed = numberFlag(flags, 'seed', {
    fallback: 1,
    expected: 'a whole number from 0 to 4294967295',
    accepts: (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32,
  })
  const { questions, repeated, contradictory } = await loadBenchmark(format, paths, { seed })
  const { questionLine } = await import('../../run/exchange/question-lines.ts')
  await writeWhole(
    out,
    questions.map((question) => `${questionLine(question)}\n`),
  )
  const left = [
    ...(repeated === 0 ? [] : [`${countOf(repeated, 'repetition')} left out.`]),
    ...(contradictory === 0 ? [] : [`${countOf(contradictory, 'question')} with contradictory answers left out.`]),
  ]
  const next = `Next  ${programName()} debate ${fileText(out)}`
  const text = [`Wrote ${countOf(questions.length, 'question')} to ${plainText(out)}.`, ...left, plainText(next)]
  return { text: text.join('\n'), json: { format, questions: questions.length, repeated, contradictory, file: out } }
}

/** Turns the logs of an evaluation tool into debates, in a file or in the store. */
async function importLogFiles(
  format: LogFormat,
  paths: readonly string[],
  request: ImportRequest,
): Promise<ImportReport> {
  const { flags, entries } = request
  const { importLogs } = await import('../../run/exchange/import-logs.ts')
  const { readFieldColumns } = await import('../../questions/column-map.ts')
  const only = flags.get('only')
  const joined = await importLogs(format, paths, {
    only: typeof only === 'string' ? only : null,
    fields: mapFlag(entries, (each) => readFieldColumns(each, { fields: LOG_FIELDS, prefixes: [] })) ?? {},
    sizes: sizesFlag(flags),
    isPartial: flags.has('partial'),
    isMixed: flags.has('mixed-settings'),
  })
  const { debates, models, questions, leftOut } = joined
  const left =
    leftOut === 0
      ? ''
      : `\n${countOf(leftOut, 'run')} that not every model answered ${leftOut === 1 ? 'is' : 'are'} left out.`
  const report = await keepDebates(debates, request)
  const panel = `Panel: ${models.map(plainText).join(', ')}.`
  return {
    text: `${report.what}, of ${countOf(questions, 'question')}.${left}\n${panel}\n${report.next}`,
    json: { format, debates: debates.length, questions, models, leftOut, ...report.json },
  }
}

async function keepDebates(
  debates: readonly object[],
  { path, flags }: ImportRequest,
): Promise<{ readonly what: string; readonly next: string; readonly json: ImportReport['json'] }> {
  const out = flags.get('out')
  const count = countOf(debates.length, 'debate')
  if (typeof out === 'string' && out !== '') {
    const { writeWhole } = await import('../../files/write-whole.ts')
    await writeWhole(
      out,
      debates.map((debate) => `${JSON.stringify(debate)}\n`),
    )
    const next = `Next  ${programName()} calibrate ${fileText(out)} --beta 0.1 --out certificate.json`
    return { what: `Wrote ${count} to ${plainText(out)}`, next: plainText(next), json: { file: out } }
  }
  const { openStoreOf } = await import('../configured-store.ts')
  const { importDebates } = await import('../../run/exchange/import-debates.ts')
  const store = await openStoreOf(flags)
  try {
    const read = async function* () {
      for (const [index, value] of debates.entries()) yield { value, place: `debate ${index + 1}` }
    }
    const { id } = await importDebates(store, read, { now: Date.now, newId: createIds(), where: plainText(path) })
    const next = `Next  ${programName()} calibrate --run ${shortRunId(id)} --out certificate.json${storeFlagsText(flags)}`
    return { what: `Imported ${count} as run ${id}`, next, json: { runId: id } }
  } finally {
    await store.close()
  }
}

function sizesFlag(flags: Flags): readonly number[] | null {
  const sizes = integersFlag(flags, 'sizes', {
    expected: 'growing numbers of models, such as 1,3,5',
    accepts: (values) => values.every((size, at) => size >= 1 && size > (values[at - 1] ?? 0)),
  })
  return sizes ?? null
}

interface ImportRequest {
  readonly path: string
  readonly flags: Flags
  /** The value of each `--map`. */
  readonly entries: readonly string[]
}

interface ImportReport {
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

async function importQuestions({ path, flags, entries }: ImportRequest): Promise<ImportReport> {
  const out = flags.get('out')
  if (typeof out !== 'string' || out === '') throw new UsageError('import --as questions: --out FILE is missing')
  const { questionLines } = await import('../../run/exchange/question-lines.ts')
  const { writeLines } = await import('../../run/exchange/write-lines.ts')
  const count = await writeLines(out, questionLines(path, columnsOf(entries)))
  const next = `Next  ${programName()} debate ${fileText(out)}`
  const text = `Wrote ${countOf(count, 'question')} to ${plainText(out)}.\n${plainText(next)}`
  return { text, json: { questions: count, file: out } }
}

async function importToStore(kind: 'debates' | 'labels', request: ImportRequest): Promise<ImportReport> {
  const { openStoreOf } = await import('../configured-store.ts')
  const store = await openStoreOf(request.flags)
  try {
    return kind === 'debates' ? await importRun(store, request) : await importGold(store, request)
  } finally {
    await store.close()
  }
}

async function importRun(store: Store, { path, entries, flags }: ImportRequest): Promise<ImportReport> {
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
  const next = `Next  ${programName()} calibrate --run ${shortRunId(id)} --out certificate.json${storeFlagsText(flags)}`
  return { text: `Imported ${countOf(done, 'debate')} as run ${id}.\n${next}`, json: { debates: done, runId: id } }
}

async function importGold(store: Store, { path, entries, flags }: ImportRequest): Promise<ImportReport> {
  const { importLabels } = await import('../../run/exchange/import-labels.ts')
  const columns = columnsOf(entries)
  const skipsUnknown = flags.has('skip-unknown')
  const file = { path, skipsUnknown, isReplacing: flags.has('replace'), ...(columns === undefined ? {} : { columns }) }
  const { labels, unknown } = await importLabels(store, file, { now: Date.now, newId: createIds() })
  const left = unknown === 0 ? '' : ` ${countOf(unknown, 'other')} left out, because no run has asked the question.`
  return { text: `Imported ${countOf(labels, 'label')}.${left}`, json: { labels, unknown } }
}

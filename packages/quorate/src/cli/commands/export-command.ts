import { EXPORTS, type ExportKind } from '../../run/exchange/export-lines.ts'
import type { ListedRun } from '../../run/find-run.ts'
import { RunError } from '../../run/run-plan.ts'
import type { Store } from '../../store/store.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf, countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { tableLines } from '../../text/table.ts'
import { wrapText } from '../../text/wrap-text.ts'
import type { Command } from '../command.ts'
import { programName } from '../command-line.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { STORE_FLAGS } from '../flags/config-flags.ts'
import { type Flags, type FlagTable, flagsHelp, parseFlags, wordFlag } from '../flags/parse-flags.ts'
import type { Terminal } from '../terminal.ts'
import { isoDay } from '../text/iso-day.ts'
import { UsageError } from '../usage-error.ts'

const COLUMNS = 80

const MOST_LISTED = 50
const FLAGS = {
  run: { value: 'ID', about: 'run to export (a unique ID prefix is enough)' },
  what: { value: 'WHAT', about: 'debates (default) | decisions | calls | bundle | answers' },
  out: { value: 'FILE', about: 'file to write. Without it, answers go to standard output' },
  format: { value: 'FORMAT', about: 'format of answers: csv (default) | jsonl' },
  list: { about: `list the latest ${MOST_LISTED} runs instead: id, kind, time, questions, status` },
  ...STORE_FLAGS,
} satisfies FlagTable

export const exportCommand: Command = {
  name: 'export',
  help: `quorate export --run ID --out FILE [--what debates|decisions|calls|bundle]
quorate export --what answers [--format csv|jsonl] [--run ID] [--out FILE]
quorate export --list

debates: writes the debates with at least one round, with their labels, as JSONL
that calibrate and evaluate read. "failure" marks a debate that broke off.
"ended": "stopped" marks one that a decision ended before its last round.
"isSpotCheck": false marks one of a decide run that was not sampled for a spot
check.
decisions: writes one decision per line with its arithmetic, as JSONL.
calls: writes every attempt, as JSONL.
bundle: writes the decisions and the certificate under a chain of hashes, for
quorate verify. Note the head that it prints: verify needs the head to show that
nothing was cut off.
answers: writes the final answer to every decided question, of all runs or of
one. A person's answer takes precedence over the panel's. Every line has the id,
the columns of the input, answer, by (panel, person or import), reviewer, at,
bound and decision_id. A deferral that nobody has reviewed has no answer yet.
Cells that a spreadsheet would run (= + - @ and tabs) get a leading '.

Flags
${flagsHelp(FLAGS)}
Examples
  quorate export --list
  quorate export --run 0198c0de --what bundle --out run.bundle
  quorate export --what answers --out answers.csv
`,
  async run(args, terminal) {
    const { flags } = parseFlags('export', args, FLAGS)
    const what = wordFlag(flags, 'what', [...EXPORTS, 'answers'] as const) ?? 'debates'
    if (what === 'answers' && !flags.has('list')) return exportAnswers(flags, terminal)
    const request = flags.has('list') || what === 'answers' ? null : exportFlags(flags, what)
    const { openStoreOf } = await import('../configured-store.ts')
    const store = await openStoreOf(flags)
    try {
      terminal.write(request === null ? await listText(store, flags) : await exported(store, request, flags))
      return EXIT.ok
    } finally {
      await store.close()
    }
  },
}

function exportFlags(flags: Flags, what: ExportKind) {
  const [run, out] = [flags.get('run'), flags.get('out')]
  if (flags.has('format')) throw new UsageError(`export: --format is for answers, ${what} are JSONL`)
  if (typeof run !== 'string') throw new UsageError('export: --run ID is missing. --list shows the runs')
  if (typeof out !== 'string' || out === '') throw new UsageError('export: --out FILE is missing')
  refuseCsv(out, what)
  return { run, out, what } as const
}

/** A file with the ending .csv and another content would mislead its reader. */
function refuseCsv(out: string, what: string): void {
  if (!out.toLowerCase().endsWith('.csv')) return
  throw new UsageError(
    `export: --out ${plainText(out)} would contain JSONL: ${what} cannot be written as CSV. Name a file that ends in .jsonl, or pass --what answers`,
  )
}

async function exportAnswers(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const { answerFormat, writeAnswers } = await import('../write-answers.ts')
  const format = answerFormat(flags)
  const { openStoreOf } = await import('../configured-store.ts')
  const store = await openStoreOf(flags)
  try {
    const { findRun } = await import('../../run/find-run.ts')
    const given = flags.get('run')
    const run = typeof given === 'string' ? await findRun(store, given) : null
    terminal.write(await writeAnswers(store, run, format, flags))
    return EXIT.ok
  } finally {
    await store.close()
  }
}

async function exported(
  store: Store,
  { run, out, what }: ReturnType<typeof exportFlags>,
  flags: Flags,
): Promise<string> {
  const { writeExport } = await import('../../run/exchange/write-export.ts')
  const { findRun } = await import('../../run/find-run.ts')
  const { id: runId } = await findRun(store, run)
  // Read before the bundle is written. A later head might cover a row that is not in the bundle.
  const head = (await store.ledger.head(runId))?.hash ?? null
  const archived = what === 'calls' ? await archivedNote(store, runId) : null
  const lines = await writeExport(store, { runId, what, out })
  if (flags.has('json')) return jsonLine({ quorate: 1, runId, what, lines, head, file: out })
  const sentence = `Wrote ${countOf(lines, 'line')} (${what}) to ${plainText(out)}.\n`
  return what === 'bundle' ? `${sentence}Head ${head}\n` : `${sentence}${archived ?? ''}`
}

/** A note if some calls of the run were archived. Throws if all of them were. */
async function archivedNote(store: Store, runId: string): Promise<string | null> {
  const { lastArchived } = await import('../../run/exchange/archive-calls.ts')
  const last = await lastArchived(store, runId)
  if (last === null) return null
  const how = `zcat calls-${runId}.jsonl.gz reads them, in the folder that was given to quorate archive`
  const { calls } = await store.calls.spend(runId)
  const isEmpty = (await store.calls.list(runId, { after: null, limit: 1 })).length === 0
  if (!isEmpty) return `${wrapText(`Others were archived on ${isoDay(last.at)}: ${how}.`, COLUMNS).join('\n')}\n`
  const count = Object.values(calls).reduce((sum, some) => sum + some, 0)
  throw new RunError(
    `run ${runId} has no calls in the store: ${countOf(count, 'call')} were archived on ${isoDay(last.at)} ` +
      `(sha256 ${last.digest}). ${how}`,
  )
}

async function listText(store: Store, flags: Flags): Promise<string> {
  const { listRuns } = await import('../../run/find-run.ts')
  const runs = await listRuns(store, MOST_LISTED)
  if (flags.has('json')) return jsonLine({ quorate: 1, runs })
  if (runs.length === 0) return `The store has no runs: begin one with "${programName()} debate QUESTIONS".\n`
  const header = ['run', 'kind', 'begun', 'questions', 'status']
  const rows = runs.map((run) => [run.id, kindText(run), timeText(run.createdAt), countText(run.questions), left(run)])
  return `${tableLines([header, ...rows], ['left', 'left', 'left', 'right', 'left']).join('\n')}\n`
}

function kindText({ kind, isImport, isShadow }: ListedRun): string {
  if (isImport) return 'import'
  return isShadow ? 'shadow' : kind
}

function left({ status, statuses: { pending } }: ListedRun): string {
  return pending > 0 ? `${countText(pending)} left` : status
}

/** Local time to the minute, for example `11-15 09:30`. */
function timeText(millis: number): string {
  const at = new Date(millis)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}

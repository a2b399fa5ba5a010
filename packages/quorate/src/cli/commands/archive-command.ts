import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DAY_MS } from '../../record/day.ts'
import type { Run, Store } from '../../store/store.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf, countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { wrapText } from '../../text/wrap-text.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { STORE_FLAGS } from '../flags/config-flags.ts'
import { type Flags, type FlagTable, flagsHelp, numberFlag, parseFlags } from '../flags/parse-flags.ts'
import { liveProgress } from '../progress.ts'
import { isoDay } from '../text/iso-day.ts'

const COLUMNS = 80

const FLAGS = {
  'older-than': { value: 'DAYS', about: 'archive runs that began at least this many days ago (default 30)' },
  run: { value: 'RUN', about: 'archive only this run, however old it is' },
  ...STORE_FLAGS,
} satisfies FlagTable

export const archiveCommand: Command = {
  name: 'archive',
  help: `quorate archive FOLDER [flags]

Moves the calls of finished runs out of the store, one file for each run:
FOLDER/calls-RUN.jsonl.gz. It verifies the file by reading it back, and writes
its digest into the ledger before it deletes the calls. Debates, decisions,
reviews, labels, the ledger and the cost stay. Later runs do not find archived
answers, and redact does not reach them. zcat FILE prints one call per line, as
quorate export --what calls does.

Flags
${flagsHelp(FLAGS)}
Example
  quorate archive archives --older-than 90
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('archive', args, FLAGS, ['FOLDER'])
    const { openStoreOf } = await import('../configured-store.ts')
    const { makeFolder } = await import('../../files/write-whole.ts')
    const { archiveCalls } = await import('../../run/exchange/archive-calls.ts')
    const folder = resolve(operands[0] ?? '')
    const days = numberFlag(flags, 'older-than', {
      fallback: 30,
      expected: 'days, from 0',
      accepts: (value) => value >= 0,
    })
    const store = await openStoreOf(flags)
    const progress = liveProgress()
    try {
      const { ended, none } = await endedRuns(store, flags, days)
      if (ended.length > 0) await makeFolder(folder, { mode: 0o700 })
      const archived: ArchivedRun[] = []
      for (const run of ended) {
        progress.update(`archiving the calls of run ${run.id}`)
        const file = freeName(join(folder, `calls-${run.id.replace(/[^\w-]/g, '_')}`))
        const { calls, digest } = await archiveCalls(store, run, { path: file, now: Date.now })
        archived.push({ runId: run.id, file, calls, digest })
      }
      progress.end()
      terminal.write(flags.has('json') ? jsonLine({ quorate: 1, archived, none }) : archivedText(archived, none))
      return EXIT.ok
    } finally {
      progress.end()
      await store.close()
    }
  },
}

/** The first unused name. An interrupted archive leaves its file, and the calls still in the store go to the next one. */
function freeName(prefix: string): string {
  for (let number = 1; ; number++) {
    const path = `${prefix}${number === 1 ? '' : `.${number}`}.jsonl.gz`
    if (!existsSync(path)) return path
  }
}

interface ArchivedRun {
  readonly runId: string
  readonly file: string
  readonly calls: number
  /** SHA-256 of the lines. */
  readonly digest: string
}

function archivedText(archived: readonly ArchivedRun[], none: string | null): string {
  if (none !== null) return `${wrapText(none, COLUMNS).join('\n')}\n`
  const sentences = archived.map(
    ({ file, calls, digest }) => `Moved ${countOf(calls, 'call')} to\n  ${plainText(file)}\n  sha256 ${digest}\n`,
  )
  return `${sentences.join('')}Each sha256 is of the lines: zcat FILE | sha256sum\n`
}

interface Ended {
  readonly ended: readonly Run[]
  /** The reason if there are none, otherwise null. */
  readonly none: string | null
}

async function endedRuns(store: Store, flags: Flags, days: number): Promise<Ended> {
  const { findRun } = await import('../../run/find-run.ts')
  const named = flags.get('run')
  if (typeof named !== 'string') return oldRuns(store, days)
  const run = await findRun(store, named)
  const hasCalls = await hasCallsOf(store, run)
  if (run.status === 'done' && hasCalls) return { ended: [run], none: null }
  return { ended: [], none: run.status === 'done' ? await emptyText(store, run) : await openText(store, run) }
}

async function openText(store: Store, { id }: Run): Promise<string> {
  const { pending } = await store.runs.counts(id)
  return `Run ${id} is open with ${countOf(pending, 'question')} left. Only calls of finished runs are archived.`
}

async function emptyText(store: Store, { id }: Run): Promise<string> {
  const { lastArchived } = await import('../../run/exchange/archive-calls.ts')
  const last = await lastArchived(store, id)
  if (last === null) return `Run ${id} has no calls.`
  return `The calls of run ${id} were archived on ${isoDay(last.at)} (sha256 ${last.digest}).`
}

async function oldRuns(store: Store, days: number): Promise<Ended> {
  const { allRuns } = await import('../../run/find-run.ts')
  const before = Date.now() - days * DAY_MS
  const ended: Run[] = []
  const count = { old: 0, open: 0, younger: 0 }
  for await (const run of allRuns(store)) {
    const isDone = run.status === 'done'
    if (run.createdAt >= before) count.younger += isDone ? 1 : 0
    else {
      count.old += 1
      if (!isDone) count.open += 1
      else if (await hasCallsOf(store, run)) ended.push(run)
    }
  }
  return { ended, none: ended.length > 0 ? null : noneText(count, days) }
}

/** `open` counts the open runs among the `old` ones. `younger` counts the younger runs that are done. */
function noneText(
  { old, open, younger }: { readonly old: number; readonly open: number; readonly younger: number },
  days: number,
): string {
  const rest = younger === 1 ? '1 younger run is done' : `${countText(younger)} younger runs are done`
  const age = `older than ${countOf(days, 'day')} (--older-than)`
  if (old === 0) return `No run is ${age}. ${rest}.`
  const why = [
    ...(open === 0 ? [] : [`${countText(open)} open`]),
    ...(old === open ? [] : [`${countText(old - open)} without calls in the store`]),
  ]
  return `No run ${age} has calls to archive: ${why.join(', ')}. ${rest}.`
}

async function hasCallsOf({ calls }: Store, { id }: Run): Promise<boolean> {
  return (await calls.list(id, { after: null, limit: 1 })).length > 0
}

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { jsonLine } from '../report/json-line.ts'
import { countOf } from '../report/number-text.ts'
import { plainText } from '../report/plain-text.ts'
import type { Run, Store } from '../store/store.ts'
import type { Command } from './command.ts'
import { STORE_FLAGS, STORE_FLAGS_HELP } from './config-flags.ts'
import { EXIT } from './exit-code.ts'
import { type Flags, numberFlag, parseFlags } from './parse-flags.ts'
import { liveProgress } from './progress.ts'

const FLAGS = { ...STORE_FLAGS, 'older-than': 'string', run: 'string' } as const
const DAY_MS = 86_400_000

export const archiveCommand: Command = {
  name: 'archive',
  help: `quorate archive FOLDER [flags]

Moves the calls of runs that are done out of the store, each run's into a file
of its own in this folder: calls-RUN.jsonl.gz. A file is read again, and its
digest written into the ledger, before anything leaves the store. Debates,
decisions, reviews, labels, the ledger and what was spent stay. Answers in an
archive are not found by later runs that ask the same, and redact does not reach
them.

Flags
  --older-than DAYS  runs that were begun so long ago (default 30)
  --run RUN          only this run, however old
${STORE_FLAGS_HELP}
Example
  quorate archive archives --older-than 90
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('archive', args, FLAGS, ['FOLDER'])
    const { openStoreOf } = await import('./configured-store.ts')
    const { makeFolder } = await import('../files/write-whole.ts')
    const { archiveCalls } = await import('../runs/archive-calls.ts')
    const folder = resolve(operands[0] ?? '')
    const days = numberFlag(flags, 'older-than', {
      ...{ fallback: 30, expected: 'days, from 0' },
      accepts: (value) => value >= 0,
    })
    await makeFolder(folder)
    const store = await openStoreOf(flags)
    const progress = liveProgress()
    try {
      const archived: { readonly runId: string; readonly file: string; readonly calls: number }[] = []
      for (const run of await endedRuns(store, flags, Date.now() - days * DAY_MS)) {
        progress.tell(`archiving the calls of run ${run.id}`)
        const file = freeName(join(folder, `calls-${run.id.replace(/[^\w-]/g, '_')}`))
        const { calls } = await archiveCalls(store, run, { path: file, now: Date.now })
        archived.push({ runId: run.id, file, calls })
      }
      progress.end()
      const told = archived.map(({ file, calls }) => `Moved ${countOf(calls, 'call')} to ${plainText(file)}.\n`)
      const none = 'No run that is done has calls to archive.\n'
      terminal.write(flags.has('json') ? jsonLine({ quorate: 1, archived }) : told.join('') || none)
      return EXIT.ok
    } finally {
      progress.end()
      await store.close()
    }
  },
}

/** An archive that broke off left a file: what is still in the store goes into the next. */
function freeName(beginning: string): string {
  for (let number = 1; ; number++) {
    const path = `${beginning}${number === 1 ? '' : `.${number}`}.jsonl.gz`
    if (!existsSync(path)) return path
  }
}

async function endedRuns(store: Store, flags: Flags, before: number): Promise<readonly Run[]> {
  const { allRuns } = await import('../runs/list-runs.ts')
  const { foundRun } = await import('../runs/found-run.ts')
  const named = flags.get('run')
  const runs = typeof named === 'string' ? [await foundRun(store, named)] : []
  if (typeof named !== 'string') for await (const run of allRuns(store)) if (run.createdAt < before) runs.push(run)
  const ended: Run[] = []
  for (const run of runs) {
    const hasCalls = (await store.calls.list(run.id, { after: null, limit: 1 })).length > 0
    if (run.status === 'done' && hasCalls) ended.push(run)
  }
  return ended
}

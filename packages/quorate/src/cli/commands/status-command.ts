import { setTimeout as sleep } from 'node:timers/promises'
import { isEarlyStop } from '../../debate/ask.ts'
import { findRun } from '../../run/find-run.ts'
import type { RetryWhileUnavailable } from '../../run/workers/retry.ts'
import type { Status } from '../../run/workers/run-status.ts'
import type { Run } from '../../store/store.ts'
import { jsonLine } from '../../text/json-line.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { openStoreOf } from '../configured-store.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CONFIG_FLAGS } from '../flags/config-flags.ts'
import { type FlagTable, flagsHelp, OUTPUT_FLAGS, parseFlags } from '../flags/parse-flags.ts'
import { surroundings, type Terminal } from '../terminal.ts'

const WATCH_MS = 2000

const FLAGS = {
  run: { value: 'RUN', about: 'show only this run, even when it is done' },
  watch: {
    about:
      'print again every two seconds until the runs are done or you press Ctrl-C. It waits while the database restarts',
  },
  config: CONFIG_FLAGS.config,
  store: { value: 'URL', about: 'postgres://USER@HOST/DATABASE (or QUORATE_STORE)' },
  json: { about: 'print one JSON object on standard output and nothing else; with --watch one per line' },
  'no-color': OUTPUT_FLAGS['no-color'],
} satisfies FlagTable

export const statusCommand: Command = {
  name: 'status',
  help: `quorate status [flags]

Shows the progress of detached runs: questions, calls per second, cost, and the
state of each worker. It also shows the runs that ended in the last hour and the
next step for each run. If no worker works on a run, it prints the reason. Calls
of large runs are counted less often, and the output shows how old a count is.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   shown
  1   an error
  40  with --run: the run waits at its spend cap

Examples
  quorate status --watch
  quorate status --run 0199f2a1 --json
`,
  async run(args, terminal) {
    const { flags } = parseFlags('status', args, FLAGS)
    const store = await openStoreOf(flags)
    try {
      const { sharedOf } = await import('../../run/workers/share-run.ts')
      const { createStatusReader, isOver } = await import('../../run/workers/run-status.ts')
      const shared = sharedOf(store)
      const given = flags.get('run')
      const named = typeof given === 'string' ? await findRun(store, given) : null
      const reader = createStatusReader(store, shared, { elapsed: () => performance.now(), now: Date.now })
      const screen = await screenOf(terminal, named, flags.has('json'))
      const retrying: RetryWhileUnavailable = flags.has('watch')
        ? await retriesUntil(screen.interrupted)
        : (read) => read(false)
      for (;;) {
        const status = await retrying(() => reader.read(named?.id ?? null))
        screen.show(status)
        if (flags.has('watch') && !status.runs.every(isOver)) await sleep(WATCH_MS)
        else return named === null ? EXIT.ok : exitCode(status)
      }
    } finally {
      await store.close()
    }
  },
}

/** The exit code for a named run: the code of a command that processed the run here. */
function exitCode({ runs: [run] }: Status): ExitCode {
  if (run === undefined || run.isOwned || run.status !== 'open') return EXIT.ok
  if (run.halt === 'spend-cap') return EXIT.spendCap
  return isEarlyStop(run.halt) ? EXIT.error : EXIT.ok
}

/** Retries while the database restarts, so that `--watch` survives it. */
async function retriesUntil(interrupted: () => void): Promise<RetryWhileUnavailable> {
  const { createRetryWhileUnavailable } = await import('../../run/workers/retry.ts')
  const log = (words: string) => {
    interrupted()
    surroundings().stderr.write(`quorate: ${plainText(words)}\n`)
  }
  const wait = async (milliseconds: number) => void (await sleep(milliseconds))
  return createRetryWhileUnavailable({
    sleep: wait,
    aborting: new AbortController().signal,
    elapsed: () => performance.now(),
    log,
  })
}

/** Shows each status below the one before, or in its place if the terminal is large enough. */
async function screenOf(terminal: Terminal, named: Run | null, isJson: boolean) {
  const { redrawn, statusText } = await import('../text/status-text.ts')
  let before: string | null = null
  return {
    show(status: Status) {
      if (isJson) return terminal.write(jsonLine({ quorate: 1, ...status }))
      const text = statusText(status, named)
      const { isTTY, rows } = surroundings().stdout
      const isLive = isTTY === true && surroundings().env['TERM'] !== 'dumb'
      terminal.write(redrawn(text, before, isLive && rows !== undefined ? { rows, columns: terminal.width } : null))
      before = text
    },
    /** To be called when something else was written below the last status. */
    interrupted() {
      before = null
    },
  }
}

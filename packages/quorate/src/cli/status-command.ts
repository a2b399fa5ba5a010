import { setTimeout as sleep } from 'node:timers/promises'
import { jsonLine } from '../report/json-line.ts'
import { foundRun } from '../runs/found-run.ts'
import type { Command } from './command.ts'
import { CONFIG_FLAGS } from './config-flags.ts'
import { openStoreOf } from './configured-store.ts'
import { EXIT } from './exit-code.ts'
import { parseFlags } from './parse-flags.ts'

const FLAGS = {
  config: CONFIG_FLAGS.config,
  store: CONFIG_FLAGS.store,
  run: 'string',
  watch: 'boolean',
  json: 'boolean',
  'no-color': 'boolean',
} as const

const WATCH_MS = 2000

export const statusCommand: Command = {
  name: 'status',
  help: `quorate status [flags]

How far the runs have come that workers hold: questions, calls a second, money,
and how each worker is doing. A run that no living worker has the config of is
told. Runs of many calls are counted less often; the text says when.

Flags
  --run RUN          only this run, also when it is done
  --watch            again every two seconds, until the runs are done or Ctrl-C
  --config PATH      config to use (default: quorate.config.yaml, .yml or .json
                     here)
  --store URL        postgres://USER@HOST/DATABASE (or QUORATE_STORE)
  --json             one JSON object on standard output and nothing else; with
                     --watch one a line
  --no-color         plain text, as with NO_COLOR=1

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
      const { sharedOf } = await import('../workers/share-run.ts')
      const { createStatusReader } = await import('../workers/run-status.ts')
      const { statusText } = await import('./status-text.ts')
      const shared = sharedOf(store)
      const named = flags.get('run')
      const runId = typeof named === 'string' ? (await foundRun(store, named)).id : null
      const reader = createStatusReader(store, shared, () => performance.now())
      for (let first = true; ; first = false) {
        const status = await reader.read(runId)
        if (flags.has('json')) terminal.write(jsonLine({ quorate: 1, ...status }))
        else terminal.write(`${first ? '' : '\n'}${statusText(status)}`)
        const isOver = status.runs.every(({ status: of, halt }) => of === 'done' || halt !== null)
        if (!flags.has('watch') || isOver) {
          return runId !== null && status.runs[0]?.halt === 'spend-cap' ? EXIT.spendCap : EXIT.ok
        }
        await sleep(WATCH_MS)
      }
    } finally {
      await store.close()
    }
  },
}

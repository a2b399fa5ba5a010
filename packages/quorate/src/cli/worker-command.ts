import type { Command } from './command.ts'
import { CONFIG_FLAGS, CONFIG_FLAGS_HELP } from './config-flags.ts'
import { EXIT } from './exit-code.ts'
import { parseFlags } from './parse-flags.ts'
import { UsageError } from './usage-error.ts'

/** A cap is the run's, not one of who works on it. */
const { 'max-cost': _, ...OWN_FLAGS } = CONFIG_FLAGS
const FLAGS = { ...OWN_FLAGS, 'trust-config': 'boolean', json: 'boolean', 'no-color': 'boolean' } as const

const CAP_OF_RUN =
  'worker: --max-cost is not for workers, since the cap belongs to the run: say it where the run is begun or gone on ' +
  'with, quorate decide QUESTIONS --certificate FILE --detach --max-cost USD'

export const workerCommand: Command = {
  name: 'worker',
  help: `quorate worker [flags]

Takes the questions of runs that were begun with --detach, and those that
quorate serve --detach takes in, and holds their debates, beside as many other
workers as you start, on this machine or on others. All of them need the same
config, prompts and QUORATE_STORE=postgres://USER@HOST/DATABASE. Rates, spend
cap and rests of failing models are kept by all workers together. A worker that
dies loses the calls it had open; others take its questions over after about
ten seconds. Ctrl-C or SIGTERM: calls in flight may finish, the rest goes back
to the queue.

Flags
  --trust-config     let the config send its keys to hosts that are not their
                     own
${CONFIG_FLAGS_HELP.replace(/^ +--max-cost .*\n/m, '')}  --json             one JSON object when it ends
  --no-color         plain text, as with NO_COLOR=1

Exit codes
  0   stopped as asked
  1   an error, also one that kept it from working for a minute; a database
      that is away is waited for

Examples
  quorate worker
  quorate worker --concurrency 64
  quorate decide questions.jsonl --certificate certificate.json --detach
  quorate status --watch
`,
  async run(args, terminal) {
    if (args.some((arg) => /^--max-cost(=|$)/.test(arg))) throw new UsageError(CAP_OF_RUN)
    const { flags } = parseFlags('worker', args, FLAGS)
    const { startWorker } = await import('./start-worker.ts')
    const tally = await startWorker(flags)
    if (flags.has('json')) terminal.write(`${JSON.stringify({ quorate: 1, ...tally })}\n`)
    return EXIT.ok
  },
}

import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { CONFIG_FLAGS } from '../flags/config-flags.ts'
import { type FlagTable, flagsHelp, OUTPUT_FLAGS, parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../usage-error.ts'

const CAP_OF_RUN =
  'worker: --max-cost is not for workers, because the cap belongs to the run. Pass it to the command that starts or resumes ' +
  'the run, such as quorate decide QUESTIONS --certificate FILE --detach --max-cost USD'

const { 'max-cost': _, ...OWN_FLAGS } = CONFIG_FLAGS
const FLAGS = {
  'trust-config': { about: 'let the config send its keys to hosts that are not their own' },
  ...OWN_FLAGS,
  json: { about: 'print one JSON object when the worker ends' },
  'no-color': OUTPUT_FLAGS['no-color'],
} satisfies FlagTable

export const workerCommand: Command = {
  name: 'worker',
  help: `quorate worker [flags]

Debates the questions of runs that were started with --detach, and those that
quorate serve --detach accepts. Start any number of workers, on this machine or
on others. All of them need the same config, prompts and
QUORATE_STORE=postgres://USER@HOST/DATABASE. Workers share rate limits, the
spend cap and circuit breakers. A worker that dies loses its open calls. Other
workers take over its questions within seconds. On Ctrl-C or SIGTERM, calls in
flight get some time to finish, and all other work goes back to the queue.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   stopped as asked
  1   an error stopped its work for a minute (while the database is
      unavailable, the worker waits)

Examples
  quorate worker
  quorate worker --concurrency 64
  quorate decide questions.jsonl --certificate certificate.json --detach
  quorate status --watch
`,
  async run(args, terminal) {
    if (args.some((arg) => /^--max-cost(=|$)/.test(arg))) throw new UsageError(CAP_OF_RUN)
    const { flags } = parseFlags('worker', args, FLAGS)
    const { startWorker } = await import('../serve/start-worker.ts')
    const tally = await startWorker(flags)
    if (flags.has('json')) terminal.write(`${JSON.stringify({ quorate: 1, ...tally })}\n`)
    return EXIT.ok
  },
}

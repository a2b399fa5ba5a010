import { jsonLine } from '../../text/json-line.ts'
import { pageWidth } from '../../text/page-frame.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { flagsHelp, parseFlags } from '../flags/parse-flags.ts'
import { BATCH_FLAGS, RUN_FLAGS, runArguments } from '../flags/run-flags.ts'
import { debateExitCode } from '../run-exit-code.ts'
import { UsageError } from '../usage-error.ts'

const FLAGS = { ...RUN_FLAGS, ...BATCH_FLAGS }

export const debateCommand: Command = {
  name: 'debate',
  help: `quorate debate QUESTIONS [flags]

Debates every question with the panel of the config, in all rounds, and keeps
every reply in the store. No paid answer is lost: after a crash or Ctrl-C,
--resume continues the run.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   every question was debated
  1   an error, or debates that failed (--retry-errors debates them again)
  40  the spend cap was reached; the rest is pending
  130 stopped by Ctrl-C

Examples
  quorate debate questions.jsonl --dry-run
  quorate debate questions.csv --map question=Text --out debates.jsonl
`,
  async run(args, terminal) {
    const { rest, columns } = runArguments(args)
    const { flags, operands } = parseFlags('debate', rest, FLAGS, ['QUESTIONS'])
    const { dryRun, runRequest } = await import('../run-request.ts')
    const request = { kind: 'debate', path: operands[0] ?? '', flags, columns, certified: null } as const
    if (flags.has('dry-run')) {
      terminal.write(await dryRun(request))
      return EXIT.ok
    }
    const out = String(flags.get('out') ?? '')
    if (out.toLowerCase().endsWith('.csv')) {
      throw new UsageError(
        `--out ${plainText(out)} would contain JSONL: debates cannot be written as CSV. Name a file that ends in .jsonl`,
      )
    }
    if (flags.has('poll') && !flags.has('batch')) throw new UsageError('--poll needs --batch')
    if (flags.has('detach') && flags.has('batch')) {
      throw new UsageError('--batch runs in this process, and --detach leaves the calls to workers: choose one')
    }
    if (flags.has('detach')) {
      const { detachRequest } = await import('../detach-request.ts')
      return detachRequest(request, terminal)
    }
    return runRequest(request, async ({ result }, store) => {
      const { resultJson, resultText } = await import('../text/run-text.ts')
      const { nextSteps } = await import('../text/next-steps.ts')
      const { writeOut } = await import('../write-out.ts')
      const wrote = await writeOut(store, result.runId, 'debates', flags)
      const text = `${resultText(result, pageWidth(terminal.width))}${wrote.text}${nextSteps(request, result)}`
      terminal.write(flags.has('json') ? jsonLine(resultJson(result)) : text)
      return wrote.isWritten ? debateExitCode(result) : EXIT.error
    })
  },
}

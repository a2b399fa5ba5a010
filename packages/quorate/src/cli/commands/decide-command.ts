import type { Certified } from '../../run/calibration/certified.ts'
import { jsonLine } from '../../text/json-line.ts'
import { pageWidth } from '../../text/page-frame.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { type Flags, type FlagTable, flagsHelp, parseFlags } from '../flags/parse-flags.ts'
import { RUN_FLAGS, runArguments } from '../flags/run-flags.ts'
import { readCertificate } from '../read-certificate.ts'
import { decideExitCode } from '../run-exit-code.ts'
import { UsageError } from '../usage-error.ts'

const FLAGS = {
  certificate: {
    value: 'FILE',
    about: 'certificate from quorate calibrate. Required, except with --dry-run, which checks it if it is given',
  },
  shadow: { about: 'decide and log, but create no review items' },
  'allow-mismatch': { about: 'decide although the panel is not the calibrated one (recorded)' },
  'allow-seen': { about: 'decide questions that were used for calibration, without a guarantee (recorded)' },
  'fail-on-defer': { about: 'exit with code 10 if a question was deferred' },
  ...RUN_FLAGS,
  out: {
    value: 'FILE',
    about:
      'also write the result. FILE.csv gets every row of the input with its columns and its decision, any other file the ' +
      'decisions as JSONL',
  },
} satisfies FlagTable

export const decideCommand: Command = {
  name: 'decide',
  help: `quorate decide QUESTIONS --certificate FILE [flags]

Asks the panel round by round. It stops when the bound reaches the threshold, or
when no later round could. The store keeps every decision with its arithmetic. A
question that is deferred or sampled for a spot check becomes an item of the
review queue. Budget and profile come from the certificate. A config or a flag
that contradicts them is an error.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   every question is decided
  1   an error
  10  with --fail-on-defer: something was deferred
  20  the certificate cannot act on anything: everything is deferred, and only
      spot checks are asked
  40  the spend cap was reached; the rest is pending
  130 stopped by Ctrl-C

Examples
  quorate decide questions.jsonl --certificate certificate.json
  quorate decide questions.jsonl --certificate certificate.json --shadow --json
`,
  async run(args, terminal) {
    const { rest, columns } = runArguments(args)
    const { flags, operands } = parseFlags('decide', rest, FLAGS, ['QUESTIONS'])
    const { dryRun, runRequest } = await import('../run-request.ts')
    const request = { kind: 'decide', path: operands[0] ?? '', flags, columns } as const
    const allowed = { allowMismatch: flags.has('allow-mismatch'), allowSeen: flags.has('allow-seen') }
    if (flags.has('dry-run')) {
      const checked = flags.has('certificate') ? { certified: await certificateFlag(flags), ...allowed } : null
      terminal.write(await dryRun({ ...request, certified: checked }))
      return EXIT.ok
    }
    const certified = await certificateFlag(flags)
    if (flags.has('detach')) {
      const { detachRequest } = await import('../detach-request.ts')
      return detachRequest({ ...request, certified: { certified, ...allowed } }, terminal)
    }
    return runRequest({ ...request, certified: { certified, ...allowed } }, async ({ result, deciding }, store) => {
      const { decidedJson, decidedText } = await import('../text/decided-text.ts')
      const { nextSteps } = await import('../text/next-steps.ts')
      const { writeOut } = await import('../write-out.ts')
      const wrote = await writeOut(store, result.runId, 'decisions', flags, request)
      if (deciding === null) throw new Error('decide: expected a run that decides. This is a defect. Please report it')
      const { decidedFacts } = await import('../../run/decided-claim.ts')
      const decided = { result, deciding, facts: await decidedFacts(store, result.runId) }
      const width = pageWidth(terminal.width)
      const text = `${decidedText(decided, width)}${wrote.text === '' ? '' : `\n${wrote.text}`}${nextSteps(request, result)}`
      terminal.write(flags.has('json') ? jsonLine(decidedJson(decided)) : text)
      if (!wrote.isWritten) return EXIT.error
      const canAct = certified.certificate.canAct()
      return decideExitCode(result, { canAct, failOnDefer: flags.has('fail-on-defer') })
    })
  },
}

async function certificateFlag(flags: Flags): Promise<Certified> {
  const path = flags.get('certificate')
  if (typeof path !== 'string') {
    throw new UsageError('--certificate is missing: the file that quorate calibrate --out FILE made')
  }
  return readCertificate(path)
}

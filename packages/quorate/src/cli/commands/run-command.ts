import type { Command } from '../command.ts'
import { type FlagTable, flagsHelp, parseFlags } from '../flags/parse-flags.ts'
import { RUN_FLAGS, runArguments } from '../flags/run-flags.ts'

const { resume: _, 'resume-run': __, detach: ___, 'dry-run': ____, out: _____, ...SHARED } = RUN_FLAGS

const FLAGS = {
  certificate: {
    value: 'FILE',
    about:
      'certificate to decide with (default certificate.json beside the config). If the file does not exist, run makes it',
  },
  out: { value: 'FILE', about: 'write every row with its columns and its decision, as FILE.csv or FILE.jsonl' },
  regrades: {
    value: 'FILE.csv',
    about:
      "people's grades for answers that the grader of the config graded: the file of quorate grade --sample, filled in",
  },
  again: {
    about:
      'decide again the rows that this certificate has decided. Their older review items are withdrawn, except spot checks',
  },
  'allow-mismatch': { about: 'decide although the panel is not the calibrated one (recorded)' },
  'allow-seen': { about: 'decide rows whose text was used for calibration, without a guarantee (recorded)' },
  'fail-on-defer': { about: 'exit with code 10 if a question was deferred' },
  ...SHARED,
} satisfies FlagTable

export const runCommand: Command = {
  name: 'run',
  help: `quorate run QUESTIONS [flags]

Processes one file, CSV or JSONL. If there is no certificate, the panel first
debates the rows that have a label, and run makes a certificate from them. Then
run decides the rows without a label, and reports how many items wait for a
person and where. Repeat the command after a stop or with more rows: a row that
was decided under this certificate is not asked, sampled or queued again. A
certificate of another panel is refused, as it would defer every row. If the
config has fields, a row is a document, and all its fields are answered.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   every row is decided
  1   an error, or a provider that refuses every request
  10  with --fail-on-defer: something was deferred
  20  the certificate cannot act on anything: everything is deferred
  40  the spend cap was reached; a higher --max-cost continues
  130 stopped by Ctrl-C; the same command continues

Examples
  quorate run tickets.csv --out decided.csv
  quorate run tickets.csv --skip-bad bad.csv
`,
  async run(args, terminal) {
    const { rest, columns } = runArguments(args)
    const { flags, operands } = parseFlags('run', rest, FLAGS, ['QUESTIONS'])
    const { steadyHeap } = await import('../steady-heap.ts')
    const { configOf } = await import('../flags/config-flags.ts')
    steadyHeap()
    const loaded = await configOf(flags)
    const file = { path: operands[0] ?? '', flags, columns }
    if (loaded.fields === undefined) return (await import('../job/run-job.ts')).runJob(file, loaded, terminal)
    return (await import('../job/run-documents.ts')).runDocuments(file, loaded, terminal)
  },
}

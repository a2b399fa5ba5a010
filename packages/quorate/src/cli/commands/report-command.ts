import { basename } from 'node:path'
import { resolveProfileBudget } from '@quorate/certificate'
import { packageVersion } from '../../files/package-version.ts'
import { LIMITS } from '../../record/limits.ts'
import { jsonLine } from '../../text/json-line.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { fileText, flagsText, programName } from '../command-line.ts'
import { SOURCE_FLAGS, sourceOperands, withDebates } from '../debate-source.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { exitOnInterrupt } from '../exit-on-interrupt.ts'
import { DEBATE_FLAGS, debateFlags } from '../flags/debate-flags.ts'
import { LOCAL_FLAGS, profileFlags } from '../flags/local-flags.ts'
import { type CommandLine, type Flags, type FlagTable, flagsHelp, parseFlags } from '../flags/parse-flags.ts'
import { SPLIT_FLAGS, splitFlags } from '../flags/split-flags.ts'
import { liveProgress } from '../progress.ts'
import { surroundings } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const DEFAULT_FOLDER = './quorate-report'

const FLAGS = {
  ...SOURCE_FLAGS,
  out: { value: 'DIR', about: `folder to write to (default ${DEFAULT_FOLDER})` },
  profile: { value: 'P', about: 'total (default) | cells | tight | paper: the certificate of the report' },
  ...LOCAL_FLAGS,
  unordered: { about: 'the order of the file has no meaning, for example because it is sorted by topic' },
  ...DEBATE_FLAGS,
  ...SPLIT_FLAGS,
} satisfies FlagTable

export const reportCommand: Command = {
  name: 'report',
  help: `quorate report DEBATES.jsonl --beta B [--out DIR] [flags]
quorate report --run ID --beta B [--out DIR] [flags]

Evaluates every policy on labelled debates, audits the certificate and writes
one page that opens from disk: DIR/report.html, without scripts and without
network, and its figures as DIR/figures/*.svg. Nothing is sent over the network.
Files of the same names are replaced. Other files in DIR stay.

Flags
${flagsHelp(FLAGS)}
Examples
  quorate report debates.jsonl --beta 0.15
  quorate report debates.jsonl --beta 0.2 --profile tight --out report-tight
`,
  async run(args, terminal) {
    const line = parseFlags('report', args, FLAGS, sourceOperands(args))
    const { flags } = line
    const { budget, file } = debateFlags(flags)
    const { profile, local } = profileFlags(flags)
    // The rounds are not known yet. With more rounds alpha is slightly larger, so the largest number is used.
    if (!resolveProfileBudget('report', budget, profile, LIMITS.rounds, local).feasible)
      return reportInfeasible(line, budget.beta)
    const recompute = { command: commandOf(line), packageVersion: packageVersion() }
    const options = { profile, budget, local, ...splitFlags(flags), recompute } as const
    const folder = folderFlag(flags)
    // Loaded lazily, so that --help is fast.
    const { makeReport } = await import('../../page/make-report.ts')
    const { writeReport } = await import('../../page/write-report.ts')
    const progress = liveProgress()
    const stopListening = exitOnInterrupt(progress.end)
    try {
      const written = await withDebates(line, async ({ path, isRun, beliefs }) => {
        // A store lists debates by the IDs of their questions, not in order of arrival.
        const order = isRun || flags.has('unordered') ? ('none' as const) : ('arrival' as const)
        const read = { file: { ...(beliefs && { beliefs }), ...file }, order, progress: progress.update }
        return writeReport(folder, await makeReport(path, { ...options, ...read }))
      })
      progress.end()
      terminal.write(flags.has('json') ? jsonLine(written) : writtenText(written))
      return EXIT.ok
    } finally {
      progress.end()
      stopListening()
    }
  },
}

function reportInfeasible({ flags, operands }: CommandLine, beta: number): ExitCode {
  const source = operands[0] === undefined ? `--run ${flags.get('run')}` : fileText(operands[0])
  surroundings().stderr.write(
    `quorate: beta ${beta} is too small to act on anything. To see what is within reach: ${plainText(`${programName()} plan ${source} --beta ${beta}`)}\n`,
  )
  return EXIT.infeasible
}

/** The command without the folder of the file, because a shared page should not reveal folders of this machine. */
function commandOf({ flags, operands }: CommandLine): string {
  const file = operands.map((path) => fileText(basename(path)))
  return ['quorate report', ...file, flagsText(flags, LEFT_OUT)].join(' ')
}

function folderFlag(flags: Flags): string {
  const folder = flags.get('out') ?? DEFAULT_FOLDER
  if (typeof folder === 'string' && folder !== '') return folder
  throw new UsageError('--out must name a folder, got ""')
}

function writtenText({ page, figures }: { readonly page: string; readonly figures: readonly string[] }): string {
  return `Wrote ${plainText(page)} and ${figures.length} figures as SVG beside it.\nOpen ${plainText(page)} in any browser. It needs no network.\n`
}

/** Flags that change no number of the report. */
const LEFT_OUT: readonly string[] = ['out', 'threads', 'json', 'no-color', 'config', 'store']

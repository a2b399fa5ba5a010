import { basename } from 'node:path'
import { plainText } from '../report/plain-text.ts'
import type { Command } from './command.ts'
import { DEBATE_FLAGS, DEBATE_FLAGS_HELP, debateFlags, wordFlag } from './debate-flags.ts'
import { EXIT } from './exit-code.ts'
import { exitOnInterrupt } from './exit-on-interrupt.ts'
import { type Flags, parseFlags } from './parse-flags.ts'
import { liveProgress } from './progress.ts'
import { SPLIT_FLAGS, SPLIT_FLAGS_HELP, splitFlags } from './split-flags.ts'
import { UsageError } from './usage-error.ts'
import { packageVersion } from './version.ts'

const PROFILES = ['cells', 'tight', 'paper'] as const
const DEFAULT_FOLDER = './quorate-report'

export const reportCommand: Command = {
  name: 'report',
  summary: 'one page with every figure, table, audit and caveat of your labelled debates',
  help: `quorate report DEBATES.jsonl --beta B [--out DIR] [flags]

Evaluates every policy on labelled debates, audits the certificate and writes one page
that opens from disk: DIR/report.html, without scripts and without network, and every
figure of it as DIR/figures/*.svg. Nothing is sent anywhere. Files of the same names are
replaced; others in DIR stay.

Flags
  --out DIR          folder to write to (default ${DEFAULT_FOLDER})
  --profile P        cells (default) | tight | paper: the certificate of the report
${DEBATE_FLAGS_HELP}${SPLIT_FLAGS_HELP}
Examples
  quorate report debates.jsonl --beta 0.15
  quorate report debates.jsonl --beta 0.2 --profile tight --out report-tight
`,
  async run(args, terminal) {
    const types = { ...DEBATE_FLAGS, ...SPLIT_FLAGS, out: 'string', profile: 'string' } as const
    const { flags, operands } = parseFlags('report', args, types, ['DEBATES.jsonl'])
    const [path = ''] = operands
    const { budget, file } = debateFlags(flags)
    const profile = wordFlag(flags, 'profile', PROFILES) ?? 'cells'
    const recompute = { command: commandLine(path, flags), packageVersion: packageVersion() }
    const options = { profile, budget, file, ...splitFlags(flags), recompute }
    const folder = folderFlag(flags)
    // Loaded here, so that --help need not wait for them.
    const { makeReport } = await import('../page/make-report.ts')
    const { writeReport } = await import('../page/write-report.ts')
    const progress = liveProgress()
    const hearNoMore = exitOnInterrupt(progress.end)
    try {
      const data = await makeReport(path, { ...options, progress: progress.tell })
      const written = await writeReport(folder, data)
      progress.end()
      terminal.write(flags.has('json') ? `${JSON.stringify(written)}\n` : writtenText(written))
      return EXIT.ok
    } finally {
      progress.end()
      hearNoMore()
    }
  },
}

function folderFlag(flags: Flags): string {
  const folder = flags.get('out') ?? DEFAULT_FOLDER
  if (typeof folder === 'string' && folder !== '') return folder
  throw new UsageError('--out must name a folder, got ""')
}

function writtenText({ page, figures }: { readonly page: string; readonly figures: readonly string[] }): string {
  return `Wrote ${plainText(page)} and ${figures.length} figures as SVG beside it.\nOpen ${plainText(page)} in any browser; it needs no network.\n`
}

/** Whatever changes no number of the report. */
const LEFT_OUT: readonly string[] = ['out', 'threads', 'json', 'no-color']

/** What to type for the same report where the file lies: a shared page need not name the folders of this machine. */
function commandLine(path: string, flags: Flags): string {
  const words = [...flags]
    .filter(([name]) => !LEFT_OUT.includes(name))
    .flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value]))
  const name = basename(path)
  // A name that begins like a flag would be read as one.
  return ['quorate', 'report', name.startsWith('-') ? `./${name}` : name, ...words].map(shellWord).join(' ')
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

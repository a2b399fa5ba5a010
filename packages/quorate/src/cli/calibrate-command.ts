import type { CalibrateOptions, Elicitation } from '@quorate/certificate'
import type { LoadedConfig } from '../config/load-config.ts'
import { writeWhole } from '../files/write-whole.ts'
import { jsonLine } from '../report/json-line.ts'
import { pageWidth } from '../report/page-frame.ts'
import { plainText } from '../report/plain-text.ts'
import type { Calibration } from '../runs/calibrate-run.ts'
import { calibrationText } from './calibration-text.ts'
import type { Command } from './command.ts'
import { CONFIG_FLAGS, CONFIG_FLAGS_HELP } from './config-flags.ts'
import { wordFlag } from './debate-flags.ts'
import { EXIT } from './exit-code.ts'
import { optionalConfig } from './optional-config.ts'
import { type Flags, parseFlags } from './parse-flags.ts'
import { UsageError } from './usage-error.ts'

const ELICITATIONS: readonly Elicitation[] = ['given', 'stated', 'vote', 'samples']

const FLAGS = {
  ...CONFIG_FLAGS,
  run: 'string',
  out: 'string',
  beliefs: 'string',
  'group-conditional': 'boolean',
  json: 'boolean',
  'no-color': 'boolean',
} as const

export const calibrateCommand: Command = {
  name: 'calibrate',
  help: `quorate calibrate DEBATES.jsonl --out FILE [flags]
quorate calibrate --run ID --out FILE [flags]

Fits the certificate of the config's budget and profile on labelled debates, from a file
or from a run of the store. Debates without the right option, debates that failed or
stopped early, and those of a decide run that were not drawn for a spot check are left
out and counted. Without a config a file needs --beta.

Flags
  --run ID           debates of this run instead of a file
  --out FILE         where the certificate goes
  --beliefs HOW      given | stated | vote | samples (default: as the panel of the run or
                     of the config says, else given)
  --group-conditional  decide each question from its own group
${CONFIG_FLAGS_HELP}  --json             one JSON object on standard output and nothing else
  --no-color         plain text, as with NO_COLOR=1

Exit codes
  0   the certificate is written
  20  it is written, but its budget leaves nothing to act with

Examples
  quorate calibrate --run 0198c0de-0000-7000-8000-000000000000 --out certificate.json
  quorate calibrate debates.jsonl --beta 0.15 --out certificate.json
`,
  async run(args, terminal) {
    const isRun = args.some((argument) => argument === '--run' || argument.startsWith('--run='))
    const { flags, operands } = parseFlags('calibrate', args, FLAGS, isRun ? [] : ['DEBATES.jsonl'])
    const out = flags.get('out')
    if (typeof out !== 'string' || out === '') throw new UsageError('calibrate: --out FILE is missing')
    const loaded = await optionalConfig(flags, { isNeeded: isRun })
    const source = { path: operands[0] ?? null, flags, loaded }
    const made = loaded.kind === 'config' ? await withStore(source, loaded.loaded) : await calibrateFile(source)
    const { certificate, file, id } = made.certified
    await writeWhole(out, `${file}\n`)
    const { budget, profile, rounds } = certificate
    const about = { certificateId: id, profile, rounds, budget, debates: made.debates, dropped: made.dropped }
    const text = flags.has('json')
      ? jsonLine({ quorate: 1, ...about, outlook: made.outlook, file: out })
      : calibrationText(made, { out, width: pageWidth(terminal.width) })
    terminal.write(text)
    return certificate.feasible ? EXIT.ok : EXIT.infeasible
  },
}

interface Source {
  readonly path: string | null
  readonly flags: Flags
  readonly loaded: Awaited<ReturnType<typeof optionalConfig>>
}

/** With a config the certificate is kept in its store too. */
async function withStore(source: Source, loaded: LoadedConfig): Promise<Calibration> {
  const { openConfiguredStore } = await import('./run-command.ts')
  const { calibrateRun } = await import('../runs/calibrate-run.ts')
  const store = await openConfiguredStore(loaded)
  try {
    const runId = source.flags.get('run')
    const options = optionsOf(source)
    const made =
      typeof runId === 'string'
        ? await calibrateRun(store, { runId, options, beliefs: beliefsFlag(source.flags) })
        : await calibrateFile(source)
    const { id, file } = made.certified
    await store.certificates.save({ id, file, at: Date.now(), runId: typeof runId === 'string' ? runId : null })
    return made
  } finally {
    await store.close()
  }
}

async function calibrateFile(source: Source): Promise<Calibration> {
  const { calibrationPanels } = await import('../runs/calibration-panels.ts')
  const { debatesOfFile } = await import('../runs/recorded-debates.ts')
  const { makeCertificate } = await import('../runs/make-certificate.ts')
  const { readingOf } = await import('../runs/panel-fingerprint.ts')
  const { path, flags, loaded } = source
  const configured = loaded.kind === 'config' ? readingOf(loaded.loaded.config.panel.elicitation) : 'given'
  const beliefs = beliefsFlag(flags) ?? configured
  const debates = await calibrationPanels(debatesOfFile(path ?? ''), { where: plainText(path ?? ''), beliefs })
  const { panels, dropped } = debates
  return { ...makeCertificate(debates, optionsOf(source)), debates: panels.panels.length, dropped }
}

function beliefsFlag(flags: Flags): Elicitation | undefined {
  return wordFlag(flags, 'beliefs', ELICITATIONS)
}

function optionsOf({ loaded, flags }: Source): CalibrateOptions {
  const { budget, profile } = loaded.kind === 'config' ? loaded.loaded.config : loaded
  return { profile, budget, groupConditional: flags.has('group-conditional') }
}

import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BeliefReading } from '@quorate/certificate'
import { fileText } from './command-line.ts'
import { openStoreOf } from './configured-store.ts'
import { CONFIG_FLAGS } from './flags/config-flags.ts'
import type { CommandLine, FlagTable } from './flags/parse-flags.ts'

/** Flags of commands that read debates from a file or from a run of the store. Use them like DEBATE_FLAGS. */
export const SOURCE_FLAGS = Object.freeze({
  run: {
    value: 'ID',
    about:
      'use the debates of this run instead of a file (an ID prefix is enough). Of a decide run only those sampled for a ' +
      'spot check are used. They have no order of arrival',
  },
  config: CONFIG_FLAGS.config,
  store: CONFIG_FLAGS.store,
}) satisfies FlagTable

/** The operands of such a command: a file, unless `--run` names a run. */
export function sourceOperands(args: readonly string[]): readonly string[] {
  return args.some((argument) => argument === '--run' || argument.startsWith('--run=')) ? [] : ['DEBATES.jsonl']
}

export interface DebateSource {
  /** A file of debates. */
  readonly path: string
  /** The arguments that select the same debates in another command. */
  readonly typed: string
  readonly isRun: boolean
  /** How the answers are read, according to the panel of the run. */
  readonly beliefs?: BeliefReading
}

/**
 * Calls `work` with the named file, or with a temporary file of the run's debates without their texts. The run is read page
 * by page, so neither its texts nor its rows are all in memory.
 */
export async function withDebates<Result>(
  { flags, operands }: CommandLine,
  work: (source: DebateSource) => Promise<Result>,
): Promise<Result> {
  const given = flags.get('run')
  const [path = ''] = operands
  if (typeof given !== 'string') return work({ path, typed: fileText(path), isRun: false })
  const folder = await mkdtemp(join(tmpdir(), 'quorate-'))
  const tidy = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', tidy) // Ctrl-C ends the process without running `finally`
  try {
    return await work(await writeRun({ flags, operands }, given, folder))
  } finally {
    process.off('exit', tidy)
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeRun({ flags }: CommandLine, given: string, folder: string): Promise<DebateSource> {
  // Loaded lazily, so that --help is fast.
  const { bareLines } = await import('../run/exchange/bare-lines.ts')
  const { findRun } = await import('../run/find-run.ts')
  const { readingOf } = await import('../run/calibration/panel-fingerprint.ts')
  const { recordedPanel } = await import('../run/calibration/recorded-panel.ts')
  const { writeLines } = await import('../run/exchange/write-lines.ts')
  const store = await openStoreOf(flags)
  try {
    const run = await findRun(store, given)
    const path = join(folder, `run-${run.id}.jsonl`)
    await writeLines(path, bareLines(store, run))
    const panel = recordedPanel(run)
    const reading = panel === null ? {} : { beliefs: readingOf(panel.elicitation) }
    return { path, typed: `--run ${run.id}`, isRun: true, ...reading }
  } finally {
    await store.close()
  }
}

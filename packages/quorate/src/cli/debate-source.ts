import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Elicitation } from '@quorate/certificate'
import { fileText } from './command-line.ts'
import { openStoreOf } from './configured-store.ts'
import { CONFIG_FLAGS } from './flags/config-flags.ts'
import type { CommandLine, FlagTable } from './flags/parse-flags.ts'

/** Flags of commands over a file of debates that take a run of the store too; used like DEBATE_FLAGS. */
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

/** What must be named without a dash. */
export function sourceOperands(args: readonly string[]): readonly string[] {
  return args.some((argument) => argument === '--run' || argument.startsWith('--run=')) ? [] : ['DEBATES.jsonl']
}

export interface DebateSource {
  /** A file of debates. */
  readonly path: string
  /** As it is typed again. */
  readonly typed: string
  readonly isRun: boolean
  /** How the panel of the run says that its answers are read. */
  readonly beliefs?: Elicitation
}

/**
 * The file that was named, or one with the debates of the run, without words, which is gone afterwards. The run is read
 * page by page: neither the store's texts nor its rows are kept in memory.
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
  process.once('exit', tidy) // Ctrl-C ends the process where it stands
  try {
    return await work(await writeRun({ flags, operands }, given, folder))
  } finally {
    process.off('exit', tidy)
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeRun({ flags }: CommandLine, given: string, folder: string): Promise<DebateSource> {
  // Loaded here, so that --help need not wait for them.
  const { bareLines } = await import('../run/exchange/bare-lines.ts')
  const { foundRun } = await import('../run/find-run.ts')
  const { readingOf } = await import('../run/calibration/panel-fingerprint.ts')
  const { recordedPanel } = await import('../run/calibration/recorded-panel.ts')
  const { writeLines } = await import('../run/exchange/write-lines.ts')
  const store = await openStoreOf(flags)
  try {
    const run = await foundRun(store, given)
    const path = join(folder, `run-${run.id}.jsonl`)
    await writeLines(path, bareLines(store, run))
    const panel = recordedPanel(run)
    const reading = panel === null ? {} : { beliefs: readingOf(panel.elicitation) }
    return { path, typed: `--run ${run.id}`, isRun: true, ...reading }
  } finally {
    await store.close()
  }
}

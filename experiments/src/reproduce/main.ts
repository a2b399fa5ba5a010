/** `npm run reproduce`: every table and figure of the paper on twins, and all policies on recorded debates. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hasRecordedData, NO_RECORDED_DATA } from '../data/recorded.ts'
import { fileCache, NO_CACHE } from './cache.ts'
import { ALL_SEEDS, documentText, section } from './document.ts'
import { figuresOf } from './figures/all-figures.ts'
import { measureAll } from './measure-all.ts'
import { type ReproduceOptions, readOptions, USAGE } from './options.ts'
import { progressOn } from './progress.ts'
import type { Measurements } from './tasks.ts'

const HOME = resolve(import.meta.dirname, '../..')
const QUICK = { seeds: ALL_SEEDS.slice(0, 2), recordedSeeds: ALL_SEEDS.slice(0, 1), ditheredSeeds: [] } as const

const options = readOptions(process.argv.slice(2))
if (typeof options === 'string') {
  console.error(`reproduce: ${options}\n\n${USAGE}`)
  process.exitCode = 2
} else {
  await reproduce(options)
}

async function reproduce(asked: ReproduceOptions): Promise<void> {
  if (!hasRecordedData) console.error(`reproduce: ${NO_RECORDED_DATA}`)
  if (asked.isCheck && !hasRecordedData) return // the results hold recorded debates too
  const measured = await measureAll({
    ...(asked.isQuick ? QUICK : { seeds: ALL_SEEDS }),
    threads: asked.threads,
    cache: asked.isCheck ? NO_CACHE : fileCache(),
    report: progressOn(process.stderr),
  })
  const note = asked.isQuick
    ? `Quick: 2 of ${ALL_SEEDS.length} splits of twins and 1 of recorded files; not the results of a full run.\n\n`
    : ''
  if (asked.table) console.log(note + section(asked.table, measured))
  else if (asked.isCheck) check(measured)
  else if (asked.out !== null) write(resolve(asked.out), measured, note)
  else if (asked.isQuick) console.log(note + documentText(measured))
  else if (hasRecordedData) write(HOME, measured, '')
  else
    console.error('reproduce: experiments/RESULTS.md holds recorded debates too and is left as it is; use --out DIR.')
}

function write(folder: string, measured: Measurements, note: string): void {
  mkdirSync(join(folder, 'figures'), { recursive: true })
  for (const [file, text] of filesOf(measured))
    writeFileSync(join(folder, file), file.endsWith('.md') ? note + text : text)
  console.log(`reproduce: wrote RESULTS.md and figures to ${folder === HOME ? 'experiments' : folder}`)
}

function check(measured: Measurements): void {
  const differing = filesOf(measured).filter(([file, text]) => readStored(join(HOME, file)) !== text)
  for (const [file, text] of differing) console.error(firstDifference(file, readStored(join(HOME, file)), text))
  console.log(
    `reproduce: ${differing.length === 0 ? 'experiments/RESULTS.md and figures are as generated' : 'results differ'}`,
  )
  process.exitCode = differing.length === 0 ? 0 : 1
}

function filesOf(measured: Measurements): (readonly [file: string, text: string])[] {
  const figures = figuresOf(measured).map(({ name, svg }) => [join('figures', `${name}.svg`), svg] as const)
  return [['RESULTS.md', documentText(measured)], ...figures]
}

function readStored(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // a missing file differs
  }
}

function firstDifference(file: string, stored: string, made: string): string {
  const [before, after] = [stored.split('\n'), made.split('\n')]
  const at = after.findIndex((line, place) => line !== before[place])
  const place = at < 0 ? after.length : at
  return `${file}, line ${place + 1}:\n- ${before[place] ?? ''}\n+ ${after[place] ?? ''}`
}

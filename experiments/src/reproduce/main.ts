/** `npm run reproduce`: every table and figure of the paper on twins, and all policies on recorded debates. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hasRecordedData, NO_RECORDED_DATA } from '../data/recorded.ts'
import { fileCache, NO_CACHE } from './cache.ts'
import { firstDifference } from './compare-results.ts'
import { ALL_SEEDS, onTwins, recordedDocument, section, twinDocument } from './document.ts'
import { figuresOf } from './figures/all-figures.ts'
import { measureAll } from './measure-all.ts'
import { PARTS, type Part, type ReproduceOptions, readOptions, USAGE } from './options.ts'
import { KIT_USAGE, readKitOptions, runKit } from './real/kit.ts'
import { type ResultsFile, recordedResults, resultsFile, resultsSchema, twinResults } from './results.ts'
import { nameOf } from './run-tasks.ts'
import type { Measurements, Task } from './tasks.ts'

const HOME = resolve(import.meta.dirname, '../..')
/** Number of tasks between two lines of progress without a terminal. */
const EVERY = 20
const QUICK = { seeds: ALL_SEEDS.slice(0, 2), recordedSeeds: ALL_SEEDS.slice(0, 1) } as const

const isReal = process.argv.some((word) => word === '--real' || word.startsWith('--real='))
const options = isReal ? readKitOptions(process.argv.slice(2)) : readOptions(process.argv.slice(2))
if (typeof options === 'string') {
  console.error(`reproduce: ${options}\n\n${isReal ? KIT_USAGE : `${USAGE}\n\n${KIT_USAGE}`}`)
  process.exitCode = 2
} else if ('benchmark' in options) {
  process.exitCode = await runKit(options, { quorate, print: (text) => process.stdout.write(text) })
} else {
  await reproduce(options)
}

/** The command line of the repository, in the terminal of this process. */
function quorate(args: readonly string[], folder: string): Promise<number> {
  const bin = resolve(HOME, '../packages/quorate/bin/quorate.js')
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--conditions=quorate-source', bin, ...args], {
      cwd: folder,
      stdio: 'inherit',
    })
    child.once('error', fail)
    child.once('exit', (code) => done(code ?? 1))
  })
}

async function reproduce(asked: ReproduceOptions): Promise<void> {
  if (!hasRecordedData) console.error(`reproduce: ${NO_RECORDED_DATA}`)
  const parts = PARTS.filter((part) => (asked.part ?? part) === part && (part === 'twins' || hasRecordedData))
  if (parts.length === 0 && asked.table === null) {
    console.error('reproduce: nothing was made or checked, because the recorded part needs recorded debates.')
    process.exitCode = 1
    return
  }
  const isTwinsOnly = asked.part === 'twins' && asked.table === null
  const measured = await measureAll({
    ...(asked.isQuick ? QUICK : { seeds: ALL_SEEDS }),
    ...(isTwinsOnly ? { recorded: [], real: [] } : {}),
    threads: asked.threads,
    cache: asked.isCheck ? NO_CACHE : fileCache(),
    report: progressOn(process.stderr),
  })
  console.error(costs())
  const files = parts.flatMap((part) => filesOf(part, measured))
  if (asked.table) console.log(quickNote(asked) + section(asked.table, measured))
  else if (asked.isCheck) process.exitCode = check(files) ? 0 : 1
  else if (asked.out !== null) write(resolve(asked.out), files, quickNote(asked))
  else if (asked.isQuick) for (const [file, text] of files) console.log(isDocument(file) ? quickNote(asked) + text : '')
  else write(HOME, files, '')
}

/**
 * Reports progress on standard error, since results go to standard output: one line that is rewritten on a terminal,
 * and an occasional line elsewhere.
 */
function progressOn(stream: NodeJS.WriteStream): (done: number, all: number, task: Task) => void {
  return (done, all, task) => {
    const text = `${done} of ${all}  ${nameOf(task)}`
    if (stream.isTTY) stream.write(`\r\u001b[2K${text}${done === all ? '\n' : ''}`)
    else if (done % EVERY === 0 || done === all) stream.write(`${text}\n`)
  }
}

/** Processor time, because it does not depend on other work on the machine. */
function costs(): string {
  const { user, system } = process.cpuUsage()
  const megabytes = process.resourceUsage().maxRSS / 1024
  return `reproduce: ${((user + system) / 6e7).toFixed(1)} processor minutes, at most ${megabytes.toFixed(0)} MB of memory`
}

type ResultFile = readonly [file: string, text: string]

function write(folder: string, files: readonly ResultFile[], note: string): void {
  mkdirSync(join(folder, 'figures'), { recursive: true })
  for (const [file, text] of files) writeFileSync(join(folder, file), isDocument(file) ? note + text : text)
  const names = files.map(([file]) => file).join(', ')
  console.log(`reproduce: wrote ${names} to ${folder === HOME ? 'experiments' : folder}`)
}

/** Whether all files are as generated. Having nothing to compare is a failure. */
function check(files: readonly ResultFile[]): boolean {
  const differing = files.flatMap(([file, text]) => {
    const difference = firstDifference(readStored(join(HOME, file)), text)
    return difference === null ? [] : `${file}, ${difference}`
  })
  for (const difference of differing) console.error(difference)
  const names = files.map(([file]) => file).join(', ')
  console.log(`reproduce: compared ${names}: ${differing.length === 0 ? 'as generated' : 'results differ'}`)
  if (!hasRecordedData) console.log('reproduce: RECORDED.md and RECORDED.json were not compared.')
  return files.length > 0 && differing.length === 0
}

function filesOf(part: Part, measured: Measurements): ResultFile[] {
  if (part === 'recorded') {
    return [
      ['RECORDED.md', recordedDocument(measured)],
      ['RECORDED.json', resultsText(recordedResults(measured))],
    ]
  }
  const twins = onTwins(measured)
  return [
    ['RESULTS.md', twinDocument(twins)],
    ['RESULTS.json', resultsText(twinResults(twins))],
    ['results.schema.json', resultsSchema()],
    ...figuresOf(twins).map(({ name, svg }): ResultFile => [join('figures', `${name}.svg`), svg]),
  ]
}

/** The JSON text, checked against its own schema. */
function resultsText(results: ResultsFile): string {
  return `${JSON.stringify(resultsFile.parse(results), null, 1)}\n`
}

function isDocument(file: string): boolean {
  return file.endsWith('.md')
}

function readStored(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // a missing file differs
  }
}

/** Empty for a full run. */
function quickNote({ isQuick }: ReproduceOptions): string {
  if (!isQuick) return ''
  return `Quick: 2 of ${ALL_SEEDS.length} splits of twins and 1 of recorded files; not the results of a full run.\n\n`
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type LoadedConfig, shownPath } from '../../config/load-config.ts'
import { FileError } from '../../files/file-error.ts'
import { csvStyle } from '../../questions/csv-rows.ts'
import { isCsvFile } from '../../questions/read-questions.ts'
import { type Certified, openCertified } from '../../run/calibration/certified.ts'
import { decidedRows } from '../../run/exchange/decided-rows.ts'
import { writeLines } from '../../run/exchange/write-lines.ts'
import { allAnswers } from '../../run/run-answers.ts'
import { checkPrices } from '../../run/run-context.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf } from '../../text/number-text.ts'
import { pageWidth } from '../../text/page-frame.ts'
import { plainText } from '../../text/plain-text.ts'
import { hangingText } from '../../text/wrap-text.ts'
import { fileText, programName } from '../command-line.ts'
import { openConfiguredStore } from '../configured-store.ts'
import type { ExitCode } from '../exit-code.ts'
import type { Flags } from '../flags/parse-flags.ts'
import { panelModels } from '../panel-models.ts'
import { type QuestionFile, questionsOf } from '../question-file.ts'
import { planOf } from '../run-command.ts'
import type { Terminal } from '../terminal.ts'
import { noticeTexts, unreadableTexts } from '../text/run-text.ts'
import { UsageError } from '../usage-error.ts'
import { outFlag } from '../write-out.ts'
import { calibrateJob } from './calibrate-job.ts'
import { decideJob, reviewLine } from './decide-job.ts'
import { type Job, type JobOutput, type Lines, newOutput, withImportedLabels } from './job.ts'

/*
 * The whole job of one file, in passes over it: the first reads and checks every row; the next one keeps those with a label; then the
 * others are decided, some thousands at a time; the last writes all rows with their decisions. So a file of any length takes
 * the same memory, and nothing is asked before the last row is known to be right.
 */

/** Where `run` keeps its certificate, beside the config, unless --certificate names another place. */
const USUAL_CERTIFICATE = 'certificate.json'

/**
 * Calibrates on the rows with a label where there is no certificate, decides the others, and says what waits for a person. A row
 * that this certificate has decided before is left as it is.
 */
export async function runJob(file: QuestionFile, loaded: LoadedConfig, terminal: Terminal): Promise<ExitCode> {
  const { flags, path } = file
  const plan = await planOf(loaded, { kind: 'decide', flags })
  checkPrices(plan)
  const format = outFormat(await outFlag(flags))
  const models = await panelModels(loaded, flags)
  // Every row is read before anything is asked or written.
  for await (const _ of questionsOf(file, loaded.config));
  const store = await openConfiguredStore(loaded)
  const output = newOutput(plan)
  try {
    const questions = () => withImportedLabels(store, questionsOf(file, loaded.config, { isRepeated: true }))
    const job: Job = { ...file, loaded, models, store, questions }
    const place = certificatePlace(job)
    const { code, certified } = await workOnJob(job, place, output)
    if (certified !== null) {
      const afterwards = `final answers afterwards: ${programName()} export --what answers --out answers.csv`
      await reviewLine(store, output, { serve: `serve --certificate ${fileText(place)}`, afterwards })
    }
    if (format !== null && certified !== null) await writeDecided(job, certified, format, path, output.lines)
    printOutput(terminal, flags, output)
    return code
  } finally {
    await store.close()
  }
}

export interface JobResult {
  readonly code: ExitCode
  /** Null: the calibration did not come to its end. */
  readonly certified: Certified | null
}

export async function workOnJob(job: Job, place: string, output: JobOutput): Promise<JobResult> {
  const calibrated = existsSync(place) ? null : await calibrateJob(job, place, output)
  if (typeof calibrated === 'number') return { code: calibrated, certified: null }
  const certified = calibrated ?? (await certificateAt(place))
  return { code: await decideJob(job, certified, output), certified }
}

export function printOutput(terminal: Terminal, flags: Flags, { lines, facts, notices, answers }: JobOutput): void {
  const width = pageWidth(terminal.width)
  const noted = [...notices].map(([text, count]) => ({ text, count }))
  const read = allAnswers(answers)
  const unread = read.unreadable > read.answers * NOTABLE_UNREAD ? unreadableTexts(read) : []
  const all = [
    ...lines,
    ...unread.map((text) => ['Unread', text] as const),
    ...noticeTexts(noted).map((text) => ['Notice', text] as const),
  ]
  const text = all.flatMap(([word, words]) => hangingText(word.padEnd(11), words, width))
  terminal.write(flags.has('json') ? jsonLine({ ...facts, notices: noted }) : text.map((line) => `${line}\n`).join(''))
}

/** Every model fails to answer now and then: a person is told of more than this share. */
const NOTABLE_UNREAD = 0.05

function certificatePlace({ flags, loaded }: Job): string {
  const given = flags.get('certificate')
  if (typeof given === 'string' && given !== '') return given
  return shownPath(process.cwd(), join(dirname(loaded.config.file), USUAL_CERTIFICATE))
}

async function certificateAt(place: string): Promise<Certified> {
  const text = await readFile(place, 'utf8').catch((cause: unknown) => {
    throw new FileError(`cannot read the certificate ${plainText(place)}`, { cause })
  })
  return openCertified(text)
}

export function outFormat(out: string | null): 'csv' | 'jsonl' | null {
  if (out === null) return null
  const format = (['csv', 'jsonl'] as const).find((name) => out.toLowerCase().endsWith(`.${name}`))
  if (format !== undefined) return format
  throw new UsageError(`--out must name a file that ends in .csv or .jsonl, got ${plainText(out)}`)
}

async function writeDecided(
  job: Job,
  certified: Certified,
  format: 'csv' | 'jsonl',
  path: string,
  lines: Lines,
): Promise<void> {
  const out = String(job.flags.get('out'))
  const style = isCsvFile(path, job) ? await csvStyle(path) : {}
  const rows = decidedRows(job.store, { questions: job.questions(), certificateId: certified.id, format, ...style })
  const written = await writeLines(out, rows)
  lines.push(['Wrote', `${countOf(format === 'csv' ? written - 1 : written, 'row')} to ${plainText(out)}`])
}

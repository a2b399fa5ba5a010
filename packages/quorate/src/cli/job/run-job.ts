import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type LoadedConfig, shownPath } from '../../config/load-config.ts'
import { csvStyle } from '../../questions/csv-rows.ts'
import { isCsvFile } from '../../questions/read-questions.ts'
import type { Certified } from '../../run/calibration/certified.ts'
import { refuseOtherBudget, refuseOtherPanel } from '../../run/deciding.ts'
import { decidedRows } from '../../run/exchange/decided-rows.ts'
import { writeLines } from '../../run/exchange/write-lines.ts'
import { allAnswers } from '../../run/run-answers.ts'
import { checkPrices } from '../../run/run-context.ts'
import type { RunPlan } from '../../run/run-plan.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf } from '../../text/number-text.ts'
import { pageWidth } from '../../text/page-frame.ts'
import { plainText } from '../../text/plain-text.ts'
import { hangingText } from '../../text/wrap-text.ts'
import { fileText, programName, storeFlagsText } from '../command-line.ts'
import { openConfiguredStore } from '../configured-store.ts'
import type { ExitCode } from '../exit-code.ts'
import type { Flags } from '../flags/parse-flags.ts'
import { type QuestionFile, questionsOf } from '../question-file.ts'
import { readCertificate } from '../read-certificate.ts'
import { planOf } from '../run-request.ts'
import type { Terminal } from '../terminal.ts'
import { panelModels } from '../terminal-models.ts'
import { noticeTexts, unreadableTexts } from '../text/run-text.ts'
import { UsageError } from '../usage-error.ts'
import { outFlag } from '../write-out.ts'
import { calibrateJob } from './calibrate-job.ts'
import { decideJob, reviewReport } from './decide-job.ts'
import {
  type Job,
  type JobOutput,
  type JobResult,
  newOutput,
  type Report,
  withImportedLabels,
  withReports,
} from './job.ts'

/*
 * The whole job of one file, in several passes over it. The first pass reads and checks every row. The next one collects the
 * rows with a label. Then the other rows are decided, 10,000 at a time. The last pass writes all rows with their decisions.
 * Deciding therefore takes the same memory for a file of any length, and no call is made before every row is checked.
 */

/** The certificate of `run`, in the folder of the config unless `--certificate` names another file. */
const USUAL_CERTIFICATE = 'certificate.json'

/**
 * Calibrates on the rows with a label if there is no certificate yet, decides the other rows, and reports what waits for a
 * person. A row that this certificate has already decided is not decided again.
 */
export async function runJob(file: QuestionFile, loaded: LoadedConfig, terminal: Terminal): Promise<ExitCode> {
  const { flags, path } = file
  const plan = await planOf(loaded, 'decide', flags)
  checkPrices(plan)
  const format = outFormat(await outFlag(flags))
  const certificatePath = certificatePathOf(file, loaded)
  const usable = await usableCertificate(certificatePath, { plan, loaded, flags })
  const models = await panelModels(loaded, flags)
  // Every row is read before any call is made and anything is written.
  for await (const _ of questionsOf(file, loaded.config));
  const store = await openConfiguredStore(loaded)
  const start = newOutput(plan)
  try {
    const questions = () => withImportedLabels(store, questionsOf(file, loaded.config, { isRepeated: true }))
    const job: Job = { ...file, loaded, models, store, questions }
    const { code, certified, output } = await workOnJob(job, { certificatePath, usable }, start)
    const reports: Report[] = []
    if (certified !== null) {
      const given = storeFlagsText(flags)
      const serve = `${programName()} serve --certificate ${fileText(certificatePath)}${given} --open`
      const answers = `${programName()} export --what answers --out answers.csv${given}`
      const next = [
        { command: serve, about: 'review them in the app' },
        { command: answers, about: 'the final answers, once they are reviewed' },
      ]
      reports.push(await reviewReport(store, next))
      if (format !== null) reports.push(await writeDecided(job, certified, format, path))
    }
    printOutput(terminal, flags, withReports(output, ...reports))
    return code
  } finally {
    await store.close()
  }
}

/**
 * The certificate in a file; null: there is no such file. A certificate for another budget or another panel is refused before
 * any call is made and anything is written.
 */
export async function usableCertificate(
  path: string,
  { plan, loaded, flags }: { readonly plan: RunPlan; readonly loaded: LoadedConfig; readonly flags: Flags },
): Promise<Certified | null> {
  if (!existsSync(path)) return null
  const certified = await readCertificate(path)
  refuseOtherBudget(certified.certificate, loaded.config)
  refuseOtherPanel(certified, { panel: plan.panel, path }, flags.has('allow-mismatch'))
  return certified
}

/** Decides with the usable certificate, or with one that it makes first. */
export async function workOnJob(
  job: Job,
  { certificatePath, usable }: { readonly certificatePath: string; readonly usable: Certified | null },
  output: JobOutput,
): Promise<JobResult> {
  if (usable !== null) return decideJob(job, usable, output)
  const calibrated = await calibrateJob(job, certificatePath, output)
  return calibrated.certified === null ? calibrated : decideJob(job, calibrated.certified, calibrated.output)
}

export function printOutput(
  terminal: Terminal,
  flags: Flags,
  { lines, facts, next, notices, answers }: JobOutput,
): void {
  const width = pageWidth(terminal.width)
  const noted = [...notices].map(([text, count]) => ({ text, count }))
  const read = allAnswers(answers)
  const unread = read.unreadable > read.answers * NOTABLE_UNREAD ? unreadableTexts(read) : []
  const all = [
    ...lines,
    ...unread.map((text) => ['Unread', text] as const),
    ...noticeTexts(noted).map((text) => ['Notice', text] as const),
  ]
  const text = [
    ...all.flatMap(([word, words]) => hangingText(word.padEnd(11), words, width)),
    ...(next.length === 0 ? [] : ['Next']),
    ...next.flatMap(({ command, about }) => [`  ${plainText(command)}`, `      ${about}`]),
  ]
  terminal.write(flags.has('json') ? jsonLine({ ...facts, notices: noted }) : text.map((line) => `${line}\n`).join(''))
}

/** Every model gives an unreadable answer now and then. Only a larger share than this is reported. */
const NOTABLE_UNREAD = 0.05

function certificatePathOf({ flags }: QuestionFile, loaded: LoadedConfig): string {
  const given = flags.get('certificate')
  if (typeof given === 'string' && given !== '') return given
  return shownPath(process.cwd(), join(dirname(loaded.config.file), USUAL_CERTIFICATE))
}

export function outFormat(out: string | null): 'csv' | 'jsonl' | null {
  if (out === null) return null
  const format = (['csv', 'jsonl'] as const).find((name) => out.toLowerCase().endsWith(`.${name}`))
  if (format !== undefined) return format
  throw new UsageError(`--out must name a file that ends in .csv or .jsonl, got ${plainText(out)}`)
}

async function writeDecided(job: Job, certified: Certified, format: 'csv' | 'jsonl', path: string): Promise<Report> {
  const out = String(job.flags.get('out'))
  const style = isCsvFile(path, job) ? await csvStyle(path) : {}
  const rows = decidedRows(job.store, { questions: job.questions(), certificateId: certified.id, format, ...style })
  const written = await writeLines(out, rows)
  return { lines: [['Wrote', `${countOf(format === 'csv' ? written - 1 : written, 'row')} to ${plainText(out)}`]] }
}

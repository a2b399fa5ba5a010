import { writeWhole } from '../../files/write-whole.ts'
import { csvTable } from '../../questions/csv-rows.ts'
import { isCsvFile } from '../../questions/read-questions.ts'
import { isLabelled, type Question } from '../../record/question.ts'
import { type Calibration, calibrateRun } from '../../run/calibration/calibrate-run.ts'
import { labelledAfterwards } from '../../run/calibration/labelled-afterwards.ts'
import { refuseOtherTexts } from '../../run/known-questions.ts'
import { hasQuestions } from '../../run/open-run.ts'
import { lastErrors } from '../../run/run-answers.ts'
import { RunError } from '../../run/run-plan.ts'
import { prepareRun } from '../../run/run-to-end.ts'
import { certificateBudgetLine } from '../../text/budget-line.ts'
import { countOf } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import { storeFlagsText } from '../command-line.ts'
import { regradesFlag } from '../commands/calibrate-command.ts'
import { EXIT } from '../exit-code.ts'
import { debateExitCode } from '../run-exit-code.ts'
import { planOf, type RunReport, workOn } from '../run-request.ts'
import { planCommandText } from '../text/plan-command-text.ts'
import { asked, spendReport, stoppedReport } from './decide-job.ts'
import { capped, type Job, type JobOutput, type JobResult, type Report, spentOn, withReports, withRun } from './job.ts'

/** Debates the rows that have a label and calibrates on them. */
export async function calibrateJob(job: Job, certificatePath: string, before: JobOutput): Promise<JobResult> {
  const { loaded, flags, store, models } = job
  const lines: [string, string][] = []
  const withLabel: Question[] = []
  for await (const question of job.questions()) if (isLabelled(question)) withLabel.push(question)
  const afterwards = await labelledAfterwards(store, withLabel)
  const labelled = withLabel.filter(({ id }) => !afterwards.has(id))
  if (afterwards.size > 0) {
    const rows = `${countOf(afterwards.size, 'row')} labelled after a certificate had decided ${afterwards.size === 1 ? 'it' : 'them'}`
    lines.push(['Left out', `of the calibration: ${rows}, not a random sample of all rows`])
  }
  if (labelled.length === 0) throw await noLabels(job, certificatePath)
  await refuseOtherTexts(store, labelled)
  const plan = await planOf(loaded, 'debate', flags)
  const uncapped = await prepareRun(plan, asked(labelled), null)
  const same = { configHash: plan.hash, questionsHash: uncapped.intake.hash, kind: plan.kind }
  const latest = await store.runs.latest(same)
  // The same IDs with a corrected label or another column are a new run. Its calls are already answered in the store.
  const isSame = latest !== null && (await hasQuestions(store, latest.id, uncapped.intake.rows))
  const resume = { kind: isSame ? 'latest' : 'new' } as const
  const retryErrors = flags.has('retry-errors')
  const spentBefore = await spentOn(store, isSame ? latest : null)
  const prepared = { ...uncapped, plan: capped(plan, before, spentBefore) }
  const report = await workOn(store, prepared, { models, resume, retryErrors })
  if (prepared.ruled > 0) {
    const rows = `${countOf(prepared.ruled, 'labelled row')} that a rule sends to a person`
    lines.push(['Rules', `${rows}: not debated, and no part of the calibration (alwaysReview)`])
  }
  const { runId } = report.result
  const reports = [{ lines, facts: { calibrationRun: runId } }, spendReport(report)]
  const output = withReports(withRun(before, report, spentBefore), ...reports)
  if (report.result.halt !== null) {
    const code = debateExitCode(report.result)
    return { code, certified: null, output: withReports(output, stoppedReport(report)) }
  }
  if (report.result.tally.statuses.done === 0) throw await noDebates(store, report.result)
  const { budget, profile, local, relative, deferGroups } = loaded.config
  const deferredGroups = [...new Set(deferGroups)]
  const options = { ...local, profile, budget, ...(deferredGroups.length === 0 ? {} : { deferredGroups }) }
  const regrades = regradesFlag(flags)
  const made = await calibrateRun(store, { runId, options, relative, beliefs: undefined, regrades })
  const { certified } = made
  await store.certificates.save({ id: certified.id, file: certified.file, at: Date.now(), runId })
  await writeWhole(certificatePath, [certified.file, '\n'])
  const left = labelled.length - prepared.ruled - made.debates
  const calibrated = calibratedReport(made, { path: certificatePath, runId, left, flags })
  return { code: EXIT.ok, certified, output: withReports(output, calibrated) }
}

interface CalibratedRun {
  /** Of the certificate. */
  readonly path: string
  readonly runId: string
  /** Labelled rows whose debates failed. */
  readonly left: number
  readonly flags: Job['flags']
}

function calibratedReport(
  { certified: { certificate }, debates }: Calibration,
  { path, runId, left, flags }: CalibratedRun,
): Report {
  const without = left === 0 ? '' : ` (${countOf(left, 'other')} failed and ${left === 1 ? 'does' : 'do'} not count)`
  const can = certificate.canAct() ? '' : '. It cannot act on anything yet'
  const words = `on ${countOf(debates, 'labelled row')}${without}: ${plainText(path)}, ${certificateBudgetLine(certificate)}${can}`
  const planning = `${planCommandText(certificate, `--run ${runId}`)}${storeFlagsText(flags)}`
  const next = certificate.canAct() ? [] : [{ command: planning, about: 'how many labels are missing' }]
  return { lines: [['Calibrated', words]], facts: { calibratedOn: debates }, next }
}

/** The error if every debate failed. It names the cause, which the counts of a calibration would not show. */
async function noDebates(store: Job['store'], { runId, tally }: RunReport['result']): Promise<RunError> {
  const errors = [...(await lastErrors(store, runId))].map(
    ([agent, error]) => `agent ${agent} failed the last time with: ${error}`,
  )
  const cause = errors[0] ?? 'no call failed, so check whether limits.debateTimeoutMs is long enough'
  return new RunError(
    `${tally.questions === 1 ? 'the only debate' : `every one of ${countOf(tally.questions, 'debate')}`} failed, so there is nothing to calibrate on: ${plainText(cause)}. ` +
      'Fix the cause, then repeat the command with --retry-errors',
  )
}

async function noLabels({ path, loaded, columns }: Job, certificatePath: string): Promise<RunError> {
  const gold = columns?.gold ?? loaded.config.questions.gold ?? 'gold'
  const { header } = isCsvFile(path, { columns }) ? await csvTable(path) : { header: null }
  const titles = header?.map((title) => title.trim()) ?? [gold]
  const has = titles.slice(0, 20).map((title) => JSON.stringify(plainText(title)))
  const column = titles.includes(gold)
    ? `the column ${JSON.stringify(plainText(gold))}`
    : `a column ${JSON.stringify(plainText(gold))}, which the file does not have (it has ${has.join(', ')})`
  return new RunError(
    `there is no certificate ${plainText(certificatePath)}, and no row of ${plainText(path)} has a label to calibrate on: write the right ` +
      `answer of some rows into ${column}, or import labels with "quorate import labels.csv"`,
  )
}

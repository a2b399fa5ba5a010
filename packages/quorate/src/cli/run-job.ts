import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LoadedConfig } from '../config/load-config.ts'
import { FileError } from '../files/file-error.ts'
import { writeWhole } from '../files/write-whole.ts'
import { createIds } from '../panel/process-world.ts'
import { csvStyle } from '../questions/csv-rows.ts'
import { isCsvFile } from '../questions/read-questions.ts'
import type { Question } from '../record/question.ts'
import { calibrateRun } from '../run/calibration/calibrate-run.ts'
import { type Certified, openCertified } from '../run/calibration/certified.ts'
import { labelledAfterwards } from '../run/calibration/labelled-afterwards.ts'
import type { PaidModel } from '../run/calls/pay-for-call.ts'
import { isSeen, refuseOtherBudget } from '../run/deciding.ts'
import { decidedRows } from '../run/exchange/decided-rows.ts'
import { writeLines } from '../run/exchange/write-lines.ts'
import { type KnownQuestions, knownQuestions, supersedeReviews } from '../run/known-questions.ts'
import { checkPrices } from '../run/run-context.ts'
import { RunError } from '../run/run-plan.ts'
import { prepareRun } from '../run/run-to-end.ts'
import { questionsOfRun, writeQuestion } from '../run/stored-question.ts'
import type { Run, Store } from '../store/store.ts'
import { certificateBudgetLine } from '../text/budget-line.ts'
import { jsonLine } from '../text/json-line.ts'
import { countOf, countText } from '../text/number-text.ts'
import { pageWidth } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { hangingText } from '../text/wrap-text.ts'
import { fileText, programName } from './command-line.ts'
import { openConfiguredStore } from './configured-store.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { configOf } from './flags/config-flags.ts'
import { panelModels } from './panel-models.ts'
import { type QuestionFile, questionsOf } from './question-file.ts'
import { planOf, type RunReport, workOn } from './run-command.ts'
import { debateExitCode, decideExitCode } from './run-exit-code.ts'
import { steadyHeap } from './steady-heap.ts'
import type { Terminal } from './terminal.ts'
import { usdText } from './text/run-text.ts'
import { UsageError } from './usage-error.ts'
import { outFlag } from './write-out.ts'

/** Where `run` keeps its certificate, beside the config, unless --certificate names another place. */
const USUAL_CERTIFICATE = 'certificate.json'

interface Job extends QuestionFile {
  readonly loaded: LoadedConfig
  readonly models: ReadonlyMap<string, PaidModel>
  readonly store: Store
  /** In the order of the file; an imported label is in `gold`. */
  readonly questions: readonly Question[]
}

/** What is said at the end, a line each: a word and a text. */
type Lines = (readonly [string, string])[]

/** Facts for machines beside the lines for people. */
type Facts = Record<string, unknown>

/**
 * The whole job of one file: calibrate on the rows with a label where there is no certificate, decide the others, and say
 * what waits for a person. A row that this certificate has decided before is left as it is.
 */
export async function runJob(file: QuestionFile, terminal: Terminal): Promise<ExitCode> {
  const { flags, path } = file
  steadyHeap()
  const loaded = await configOf(flags)
  checkPrices(await planOf(loaded, { kind: 'decide', flags }))
  const format = outFormat(await outFlag(flags))
  const models = await panelModels(loaded, flags)
  const read = await listOf(questionsOf(file, loaded.config))
  const store = await openConfiguredStore(loaded)
  const [lines, facts]: [Lines, Facts] = [[], { quorate: 1 }]
  try {
    const job: Job = { ...file, loaded, models, store, questions: await withImportedLabels(store, read) }
    const place = certificatePlace(job)
    const calibrated = existsSync(place) ? null : await calibrate(job, place, { lines, facts })
    if (typeof calibrated === 'number') return say({ lines, facts, flags, terminal }, calibrated)
    const certified = calibrated ?? (await certificateAt(place))
    const code = await decideRest(job, { certified, place, lines, facts })
    if (format !== null) await writeDecided(job, { certified, format, path, lines })
    return say({ lines, facts, flags, terminal }, code)
  } finally {
    await store.close()
  }
}

function say(
  { lines, facts, flags, terminal }: Pick<Job, 'flags'> & { lines: Lines; facts: Facts; terminal: Terminal },
  code: ExitCode,
): ExitCode {
  const width = pageWidth(terminal.width)
  const text = lines.flatMap(([word, words]) => hangingText(word.padEnd(11), words, width)).map((line) => `${line}\n`)
  terminal.write(flags.has('json') ? jsonLine(facts) : text.join(''))
  return code
}

async function listOf(questions: AsyncIterable<Question>): Promise<readonly Question[]> {
  const list: Question[] = []
  for await (const question of questions) list.push(question)
  return list
}

const BATCH = 200

/** A label that came by `quorate import` counts like one that stands in the file. */
async function withImportedLabels(store: Store, questions: readonly Question[]): Promise<readonly Question[]> {
  const golds = new Map<string, string | null>()
  for (let start = 0; start < questions.length; start += BATCH) {
    const ids = questions.slice(start, start + BATCH).map(({ id }) => id)
    for (const { questionId, source, gold } of await store.labels.ofAll(ids)) {
      if (source === 'import') golds.set(questionId, gold)
    }
  }
  return questions.map((question) =>
    question.gold === null ? { ...question, gold: golds.get(question.id) ?? null } : question,
  )
}

function certificatePlace({ flags, loaded }: Job): string {
  const given = flags.get('certificate')
  if (typeof given === 'string' && given !== '') return given
  return join(dirname(loaded.config.file), USUAL_CERTIFICATE)
}

async function certificateAt(place: string): Promise<Certified> {
  const text = await readFile(place, 'utf8').catch((cause: unknown) => {
    throw new FileError(`cannot read the certificate ${plainText(place)}`, { cause })
  })
  return openCertified(text)
}

interface Said {
  readonly lines: Lines
  readonly facts: Facts
}

/** Debates the rows that have a label and calibrates on them; an exit code where that did not come to its end. */
async function calibrate(job: Job, place: string, { lines, facts }: Said): Promise<Certified | ExitCode> {
  const { loaded, flags, store, models } = job
  const withLabel = job.questions.filter(({ gold }) => gold !== null)
  const afterwards = await labelledAfterwards(store, withLabel)
  const labelled = withLabel.filter(({ id }) => !afterwards.has(id))
  if (afterwards.size > 0) {
    const rows = `${countOf(afterwards.size, 'row')} labelled after a certificate had decided ${afterwards.size === 1 ? 'it' : 'them'}`
    lines.push(['Left out', `of the calibration: ${rows}, no random sample of all rows`])
  }
  if (labelled.length === 0) throw noLabels(job, place)
  const plan = await planOf(loaded, { kind: 'debate', flags })
  const prepared = await prepareRun(plan, asked(labelled), null)
  const same = { configHash: plan.hash, questionsHash: prepared.intake.hash, kind: plan.kind }
  const resume = { kind: (await store.runs.latest(same)) === null ? 'new' : 'latest' } as const
  const retryErrors = flags.has('retry-errors')
  const report = await workOn(store, prepared, { models, resume, retryErrors })
  facts['calibrationRun'] = report.result.runId
  spendLine(lines, report)
  if (report.result.halt !== null) return stoppedWork({ lines, facts }, report, debateExitCode(report.result))
  const { budget, profile, deferGroups } = loaded.config
  const deferredGroups = [...new Set(deferGroups)]
  const options = { profile, budget, ...(deferredGroups.length === 0 ? {} : { deferredGroups }) }
  const { runId } = report.result
  const made = await calibrateRun(store, { runId, options, beliefs: undefined })
  const { certified } = made
  await store.certificates.save({ id: certified.id, file: certified.file, at: Date.now(), runId })
  await writeWhole(place, [certified.file, '\n'])
  const left = labelled.length - made.debates
  const without = left === 0 ? '' : `; ${countOf(left, 'other')} failed and ${left === 1 ? 'does' : 'do'} not count`
  const can = certified.certificate.canAct() ? '' : '; it cannot act on anything yet: label more rows'
  lines.push([
    'Calibrated',
    `on ${countOf(made.debates, 'labelled row')}${without}: ${plainText(place)}, ${certificateBudgetLine(certified.certificate)}${can}`,
  ])
  facts['calibratedOn'] = made.debates
  return certified
}

function noLabels({ path, loaded }: Job, place: string): RunError {
  const { gold = 'gold' } = loaded.config.questions
  return new RunError(
    `there is no certificate ${plainText(place)}, and no row of ${plainText(path)} has a label to calibrate on: write the right ` +
      `answer of some rows into the column ${JSON.stringify(plainText(gold))}, or import labels (quorate import labels.csv)`,
  )
}

async function* asked(questions: readonly Question[]): AsyncGenerator<Question> {
  yield* questions
}

interface Deciding extends Said {
  readonly certified: Certified
  readonly place: string
}

async function decideRest(job: Job, { certified, place, lines, facts }: Deciding): Promise<ExitCode> {
  const { loaded, flags, store } = job
  refuseOtherBudget(certified.certificate, loaded.config)
  const plan = await planOf(loaded, { kind: 'decide', flags })
  const { id: certificateId } = certified
  const known = await knownQuestions(store, { questions: job.questions, certificateId, plan })
  const isAgain = flags.has('again')
  const unlabelled = job.questions.filter(({ gold }) => gold === null)
  const seen = flags.has('allow-seen') ? [] : unlabelled.filter((question) => isSeen(certified, rowOf(question)))
  const seenIds = new Set(seen.map(({ id }) => id))
  const open = unlabelled.filter(({ id }) => !seenIds.has(id) && (isAgain || !known.decided.has(id)))
  facts['certificateId'] = certificateId
  labelLines(job, { lines, facts, labels: await keepLabels(job, known) })
  if (seen.length > 0) {
    lines.push([
      'Left out',
      `${countOf(seen.length, 'row')} with a text of the calibration: their answer is known there`,
    ])
  }
  const knownCount = unlabelled.filter(({ id }) => known.decided.has(id)).length
  if (knownCount > 0 && !isAgain) {
    lines.push(['Known', `${countOf(knownCount, 'row')} decided before under this certificate: not asked again`])
  }
  facts['known'] = isAgain ? 0 : knownCount
  const code = await decideOpen(job, { certified, lines, facts, known, open, isAgain })
  await reviewLine(job, { lines, facts, place })
  return code
}

interface OpenQuestions extends Said {
  readonly certified: Certified
  readonly known: KnownQuestions
  readonly open: readonly Question[]
  readonly isAgain: boolean
}

/** First what an earlier process left, then what no run has. */
async function decideOpen(
  job: Job,
  { certified, known, open, isAgain, lines, facts }: OpenQuestions,
): Promise<ExitCode> {
  const { flags, loaded, store, models } = job
  const plan = await planOf(loaded, { kind: 'decide', flags })
  const permissions = { allowMismatch: flags.has('allow-mismatch'), allowSeen: true, certified }
  const total = { decided: 0, acted: 0, deferred: 0 }
  const resumedIds = new Set<string>()
  const work = async (questions: readonly Question[], run: Run | null): Promise<ExitCode> => {
    const prepared = await prepareRun(plan, asked(questions), permissions)
    const resume = run === null ? ({ kind: 'new' } as const) : ({ kind: 'id', id: run.id } as const)
    const report = await workOn(store, prepared, { models, resume, retryErrors: false })
    const { tally, halt, runId } = report.result
    const deferred = Object.values(tally.deferred).reduce((sum, count) => sum + count, 0)
    total.decided += tally.questions - tally.statuses.pending
    total.acted += tally.acted
    total.deferred += deferred
    spendLine(lines, report)
    facts['runs'] = [...((facts['runs'] as string[] | undefined) ?? []), runId]
    if (isAgain) {
      const superseded = await supersedeReviews(
        store,
        runId,
        questions.map(({ id }) => id),
      )
      if (superseded > 0) lines.push(['Superseded', `${countOf(superseded, 'older review item')}`])
      facts['superseded'] = superseded
    }
    const canAct = certified.certificate.canAct()
    const code = decideExitCode(report.result, { canAct, failOnDefer: flags.has('fail-on-defer') })
    return halt === null ? code : stoppedWork({ lines, facts }, report, code)
  }
  let code: ExitCode = certified.certificate.canAct() ? EXIT.ok : EXIT.infeasible
  for (const run of isAgain ? [] : known.unfinished) {
    const questions = await listOf(questionsOfRun(store, run.id))
    for (const { id } of questions) resumedIds.add(id)
    code = await work(questions, run)
    if (isStopped(code)) return code
  }
  const fresh = open.filter(({ id }) => !resumedIds.has(id))
  if (fresh.length > 0) code = await work(fresh, null)
  const { decided, acted, deferred } = total
  if (decided > 0) {
    lines.push(['Decided', `${countOf(decided, 'row')}: ${countText(acted)} acted on, ${countText(deferred)} deferred`])
  } else if (!isStopped(code)) lines.push(['Decided', 'nothing: no row was left to decide, and nothing was spent'])
  Object.assign(facts, total)
  return code
}

function isStopped(code: ExitCode): boolean {
  return code === EXIT.error || code === EXIT.spendCap || code === EXIT.interrupted
}

function rowOf(question: Question) {
  return { questionId: question.id, question: writeQuestion(question) }
}

/** Says why the work stopped, and how to continue. */
function stoppedWork({ lines, facts }: Said, { result }: RunReport, code: ExitCode): ExitCode {
  const { halt, warning } = result
  const why = warning ?? (halt === 'spend-cap' ? 'before the spend cap; raise it with --max-cost' : 'as you asked')
  lines.push(['Stopped', `${why} The same command continues; what was answered is kept.`])
  facts['halt'] = halt
  return code
}

function spendLine(lines: Lines, { result: { asked: calls, cached, spend } }: RunReport): void {
  const free = cached === 0 ? '' : `, ${countText(cached)} from the cache`
  const unpriced = spend.unpricedCalls === 0 ? '' : ` and ${countOf(spend.unpricedCalls, 'call')} without a known price`
  lines.push(['Asked', `${countOf(calls, 'call')}${free}; ${usdText(spend.committedMicroUsd)}${unpriced}`])
}

/** Labels of rows that were decided before they had one: they enter the monitor like imported ones. */
async function keepLabels({ store, questions }: Job, { asked: askedIds }: KnownQuestions): Promise<number> {
  const labelled = questions.filter(({ id, gold }) => gold !== null && askedIds.has(id))
  let kept = 0
  const newId = createIds()
  for (let start = 0; start < labelled.length; start += BATCH) {
    const page = labelled.slice(start, start + BATCH)
    const questionIds = page.map(({ id }) => id)
    const known = new Set((await store.labels.ofAll(questionIds)).map(({ questionId }) => questionId))
    const decided = new Set((await store.decisions.ofQuestions({ questionIds })).map(({ questionId }) => questionId))
    const added = page.flatMap(({ id: questionId, gold }) =>
      decided.has(questionId) && !known.has(questionId)
        ? [{ id: newId(), runId: null, questionId, gold, source: 'import' as const, by: null, at: Date.now() }]
        : [],
    )
    await store.labels.addAll(added)
    kept += added.length
  }
  return kept
}

function labelLines({ questions }: Job, { lines, facts, labels }: Said & { readonly labels: number }): void {
  const labelled = questions.filter(({ gold }) => gold !== null).length
  if (labelled > 0) lines.push(['Labels', `${countOf(labelled, 'row')} with a label: that is the answer`])
  if (labels > 0) lines.push(['', `${countText(labels)} of them were decided before; the monitor counts their labels`])
  Object.assign(facts, { labelled, labelsKept: labels })
}

async function reviewLine({ store }: Job, { lines, facts, place }: Said & { readonly place: string }): Promise<void> {
  const { waiting } = await store.reviews.counts({ reviewer: '', since: 0 })
  facts['waiting'] = waiting
  const where = `${programName()} serve --certificate ${fileText(place)} --open`
  lines.push([
    'Review',
    waiting === 0 ? 'nothing waits' : `${countOf(waiting, 'item')} wait; review them with: ${plainText(where)}`,
  ])
  if (waiting > 0)
    lines.push(['', `final answers afterwards: ${programName()} export --what answers --out answers.csv`])
}

function outFormat(out: string | null): 'csv' | 'jsonl' | null {
  if (out === null) return null
  const format = (['csv', 'jsonl'] as const).find((name) => out.toLowerCase().endsWith(`.${name}`))
  if (format !== undefined) return format
  throw new UsageError(`--out must name a file that ends in .csv or .jsonl, got ${plainText(out)}`)
}

interface Wanted {
  readonly certified: Certified
  readonly format: 'csv' | 'jsonl'
  readonly path: string
  readonly lines: Lines
}

async function writeDecided(job: Job, { certified, format, path, lines }: Wanted): Promise<void> {
  const out = String(job.flags.get('out'))
  const style = isCsvFile(path, job) ? await csvStyle(path) : {}
  const questions = asked(job.questions)
  const rows = decidedRows(job.store, { questions, certificateId: certified.id, format, ...style })
  const written = await writeLines(out, rows)
  lines.push(['Wrote', `${countOf(format === 'csv' ? written - 1 : written, 'row')} to ${plainText(out)}`])
}

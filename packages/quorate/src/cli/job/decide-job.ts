import { createIds } from '../../panel/process-world.ts'
import { isLabelled, type Question } from '../../record/question.ts'
import type { Certified } from '../../run/calibration/certified.ts'
import { decidedFacts } from '../../run/decided-claim.ts'
import { type Deciding, isSeen } from '../../run/deciding.ts'
import { type KnownQuestions, knownQuestions, supersedeReviews } from '../../run/known-questions.ts'
import { inPages, pagesOf } from '../../run/pages.ts'
import type { RunPlan } from '../../run/run-plan.ts'
import { prepareRun } from '../../run/run-to-end.ts'
import { questionsOfRun, writeQuestion } from '../../run/stored-question.ts'
import type { Run, Store } from '../../store/store.ts'
import { countOf, countText } from '../../text/number-text.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { decideExitCode } from '../run-exit-code.ts'
import { planOf, type RunReport, workOn } from '../run-request.ts'
import { decidedCautions } from '../text/decided-text.ts'
import { usdText } from '../text/run-text.ts'
import {
  capped,
  type Job,
  type JobOutput,
  type JobResult,
  type NextCommand,
  type Report,
  spentOn,
  withReports,
  withRun,
} from './job.ts'

/** The most rows in memory at a time, and in one run. */
const QUESTIONS_AT_ONCE = 10_000

/** Decides every row without a label that this certificate has not decided before. */
export async function decideJob(job: Job, certified: Certified, before: JobOutput): Promise<JobResult> {
  const { loaded, flags, store } = job
  const plan = await planOf(loaded, 'decide', flags)
  const { id: certificateId } = certified
  const isAgain = flags.has('again')
  // The text of every ID is compared with its earlier text before any call is made.
  for await (const questions of inPages(job.questions(), QUESTIONS_AT_ONCE)) {
    await knownQuestions(store, { questions, certificateId, plan, isAgain })
  }
  const work = createWork(job, certified, plan, before)
  const count = { labelled: 0, labelsKept: 0, seen: 0, known: 0, replaced: 0 }
  let code: ExitCode = certified.certificate.canAct() ? EXIT.ok : EXIT.infeasible
  for await (const questions of inPages(job.questions(), QUESTIONS_AT_ONCE)) {
    const known = await knownQuestions(store, { questions, certificateId, plan, isAgain })
    const unlabelled = questions.filter((question) => !isLabelled(question) && !work.isResumed(question.id))
    const seen = flags.has('allow-seen') ? [] : unlabelled.filter((question) => isSeen(certified, rowOf(question)))
    const seenIds = new Set(seen.map(({ id }) => id))
    const open = unlabelled.filter(({ id }) => !seenIds.has(id) && (isAgain || !known.decided.has(id)))
    count.labelled += questions.filter(isLabelled).length
    count.labelsKept += await keepLabels(job, questions, known)
    count.seen += seen.length
    count.known += unlabelled.filter(({ id }) => known.decided.has(id)).length
    count.replaced += unlabelled.filter(({ id }) => known.replaced.has(id)).length
    code = await work.on(open, isAgain ? [] : known.unfinished, code)
    if (isStopped(code)) break
  }
  const output = withReports(work.output(), rowsReport(count, { certificateId, isAgain }), work.report(code))
  return { code, certified, output }
}

function rowsReport(
  count: Readonly<Record<'labelled' | 'labelsKept' | 'seen' | 'known' | 'replaced', number>>,
  { certificateId, isAgain }: { readonly certificateId: string; readonly isAgain: boolean },
): Report {
  const { labelled, labelsKept, seen, known, replaced } = count
  const lines: [string, string][] = []
  if (labelled > 0) lines.push(['Labels', `${countOf(labelled, 'row')} with a label, which is the answer`])
  if (labelsKept > 0) {
    lines.push(['', `${countText(labelsKept)} of them were decided before. The monitor counts their labels`])
  }
  if (seen > 0) {
    lines.push(['Left out', `${countOf(seen, 'row')} with a text of the calibration, where the answer is known`])
  }
  if (known > 0 && !isAgain) {
    lines.push(['Known', `${countOf(known, 'row')} decided before under this certificate: not asked again`])
  }
  if (replaced > 0 && !isAgain) {
    const rows = `${countText(replaced)} of them ${replaced === 1 ? 'was' : 'were'} decided later under another certificate`
    lines.push([
      '',
      `${rows}, and export --what answers takes the later decision. --again decides them again under this one`,
    ])
  }
  const facts = { certificateId, labelled, labelsKept, known: isAgain ? 0 : known, replaced: isAgain ? 0 : replaced }
  return { lines, facts }
}

/** Decides the rows of a page: first the unfinished runs of an earlier process, then the rows that no run contains. */
function createWork(job: Job, certified: Certified, plan: RunPlan, start: JobOutput) {
  const { flags, store, models } = job
  const permissions = { allowMismatch: flags.has('allow-mismatch'), allowSeen: true, certified }
  const total = { decided: 0, acted: 0, deferred: 0, ruled: 0 }
  const calls = { asked: 0, cached: 0, committedMicroUsd: 0, reservedMicroUsd: 0, unpricedCalls: 0 }
  const resumed = new Set<string>()
  const runs: string[] = []
  /** The last run that decided, whose panel and certificate are those of all. */
  let last: Deciding | null = null
  let sampled = 0
  let superseded = 0
  let output = start

  const decide = async (questions: readonly Question[], run: Run | null): Promise<ExitCode> => {
    const before = await spentOn(store, run)
    const prepared = await prepareRun(capped(plan, output, before), asked(questions), permissions)
    const resume = run === null ? ({ kind: 'new' } as const) : ({ kind: 'id', id: run.id } as const)
    const report = await workOn(store, prepared, { models, resume, retryErrors: false })
    const { tally, halt, runId, spend, asked: made, cached } = report.result
    total.decided += tally.questions - tally.statuses.pending
    total.acted += tally.acted
    total.deferred += Object.values(tally.deferred).reduce((sum, count) => sum + count, 0)
    total.ruled += tally.deferred['always-review'] ?? 0
    calls.asked += made
    calls.cached += cached
    calls.committedMicroUsd += spend.committedMicroUsd
    calls.reservedMicroUsd += spend.reservedMicroUsd
    calls.unpricedCalls += spend.unpricedCalls
    output = withRun(output, report, before)
    runs.push(runId)
    if (report.deciding?.upFront != null) sampled += (await decidedFacts(store, runId)).sampled
    last = report.deciding
    // With --again, and after a calibration, an older decision may have left an item that would ask the same once more.
    const questionIds = questions.map(({ id }) => id)
    superseded += await supersedeReviews(store, { runId, questionIds, now: Date.now() })
    const canAct = certified.certificate.canAct()
    const code = decideExitCode(report.result, { canAct, failOnDefer: flags.has('fail-on-defer') })
    if (halt !== null) output = withReports(output, stoppedReport(report))
    return code
  }

  return {
    output: () => output,
    isResumed: (id: string) => resumed.has(id),
    async on(open: readonly Question[], unfinished: readonly Run[], before: ExitCode): Promise<ExitCode> {
      let code = before
      for (const run of unfinished) {
        const questions: Question[] = []
        for await (const question of questionsOfRun(store, run.id)) questions.push(question)
        for (const { id } of questions) resumed.add(id)
        code = worse(code, await decide(questions, run))
        if (isStopped(code)) return code
      }
      const fresh = open.filter(({ id }) => !resumed.has(id))
      return fresh.length === 0 ? code : worse(code, await decide(fresh, null))
    },
    report(code: ExitCode): Report {
      const lines: (readonly [string, string])[] = []
      if (runs.length > 0) lines.push(['Asked', callsText(calls)])
      if (superseded > 0) lines.push(['Superseded', `${countOf(superseded, 'older review item')}`])
      const { decided, acted, deferred, ruled } = total
      const byRule = ruled === 0 ? '' : `, ${countText(ruled)} of them by a rule (alwaysReview) and without a call`
      if (decided > 0) {
        const rows = `${countOf(decided, 'row')}: ${countText(acted)} acted on`
        lines.push(['Decided', `${rows}, ${countText(deferred)} deferred${byRule}`])
      } else if (!isStopped(code)) lines.push(['Decided', 'nothing: no row was left to decide, and nothing was spent'])
      // A certificate that this command made is the panel's own, and its line says whether it can act.
      const isMade = 'calibratedOn' in start.facts
      if (last !== null && !isMade) lines.push(...decidedCautions(last, sampled))
      const again = flags.has('again') || superseded > 0 ? { superseded } : {}
      return { lines, facts: { ...again, ...total, ...(runs.length === 0 ? {} : { runs }) } }
    },
  }
}

/** The exit code of all pages: that of the page that was stopped, or else the first that is not OK. */
function worse(before: ExitCode, now: ExitCode): ExitCode {
  return isStopped(now) || before === EXIT.ok ? now : before
}

function isStopped(code: ExitCode): boolean {
  return code === EXIT.error || code === EXIT.spendCap || code === EXIT.interrupted
}

function rowOf(question: Question) {
  return { questionId: question.id, question: writeQuestion(question) }
}

export async function* asked(questions: readonly Question[]): AsyncGenerator<Question> {
  yield* questions
}

/** Reports why the work stopped and how to continue. */
export function stoppedReport({ result }: RunReport): Report {
  const { halt, warning } = result
  const next =
    halt === 'spend-cap'
      ? 'at the spend cap. Repeat the command with a higher --max-cost'
      : warning === null
        ? 'on request. The same command continues'
        : `${warning} Then the same command continues`
  return { lines: [['Stopped', `${next}. Answered calls are kept.`]], facts: { halt } }
}

interface Calls {
  readonly asked: number
  readonly cached: number
  readonly committedMicroUsd: number
  readonly reservedMicroUsd: number
  readonly unpricedCalls: number
}

function callsText({ asked: made, cached, committedMicroUsd, reservedMicroUsd, unpricedCalls }: Calls): string {
  const free = cached === 0 ? '' : `, ${countText(cached)} from the cache`
  const unpriced = unpricedCalls === 0 ? '' : ` and ${countOf(unpricedCalls, 'call')} without a known price`
  const reserved =
    reservedMicroUsd === 0 ? '' : `, and at most ${usdText(reservedMicroUsd)} for calls whose cost is not known`
  return `${countOf(made, 'call')}${free}; ${usdText(committedMicroUsd)}${reserved}${unpriced}`
}

export function spendReport({ result: { asked: made, cached, spend } }: RunReport): Report {
  return { lines: [['Asked', callsText({ ...spend, asked: made, cached })]] }
}

/** Stores the labels of rows that were decided before they had one. The monitor counts them like imported labels. */
async function keepLabels(
  { store }: Job,
  questions: readonly Question[],
  { asked: askedIds }: KnownQuestions,
): Promise<number> {
  const labelled = questions.filter(({ id, gold }) => gold !== null && askedIds.has(id))
  let kept = 0
  const newId = createIds()
  for (const page of pagesOf(labelled)) {
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

/** Reports what waits for a person, where to review it, and what to do afterwards. */
export async function reviewReport(store: Store, next: readonly NextCommand[]): Promise<Report> {
  const { waiting } = await store.reviews.counts({ reviewer: '', since: 0 })
  if (waiting === 0) return { lines: [['Review', 'nothing waits']], facts: { waiting } }
  const items = `${countOf(waiting, 'item')} ${waiting === 1 ? 'waits' : 'wait'} for a person`
  return { lines: [['Review', items]], facts: { waiting }, next }
}

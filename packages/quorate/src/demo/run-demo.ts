import { type Audit, type Plan, plan, splitSeeds, usualBudget } from '@quorate/certificate'
import { starterConfig } from '../config/starter-files.ts'
import { writeWhole } from '../files/write-whole.ts'
import { makeReport } from '../page/make-report.ts'
import { writeReport } from '../page/write-report.ts'
import { planAnswer } from '../report/plan-sentences.ts'
import { type Calibration, calibrateRun } from '../run/calibration/calibrate-run.ts'
import { exportLines } from '../run/exchange/export-lines.ts'
import { writeExport } from '../run/exchange/write-export.ts'
import { writeLines } from '../run/exchange/write-lines.ts'
import { findRun } from '../run/find-run.ts'
import type { RunResult } from '../run/run-to-end.ts'
import { verifyBundle } from '../run/verify/verify-bundle.ts'
import type { Store } from '../store/store.ts'
import { countText } from '../text/number-text.ts'
import { heading } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { wrapText } from '../text/wrap-text.ts'
import { comparedPoints, type DemoDebates, decidedPoint, readDemoDebates } from './compare.ts'
import { type DemoDecision, readDecided } from './decided.ts'
import { claimFolder, DEMO_FILES, type DemoFile, type DemoFolder, writeReadme } from './demo-folder.ts'
import type { DemoOptions, DemoOutput } from './demo-options.ts'
import {
  aside,
  auditLines,
  calibratedLines,
  closingLines,
  comparisonLines,
  openingLines,
  playLines,
  promiseLines,
  readmeLines,
  resultLines,
  reviewLines,
} from './demo-page.ts'
import { type DemoQuestion, drawDemoQuestions, questionLines } from './demo-questions.ts'
import { type DemoResult, demoResult } from './demo-result.ts'
import { activate, type DemoReview, reviewDemo } from './demo-review.ts'
import { type DemoServices, openDemoServices } from './demo-services.ts'
import { reachSection } from './reach-section.ts'

interface Decisions {
  readonly decidedRun: RunResult
  readonly decided: readonly DemoDecision[]
}

/** What was debated, calibrated, decided and reviewed. All of it is in the store. */
export interface PlayedDemo extends Decisions {
  readonly calibration: Calibration
  readonly labelledRun: RunResult
  /** The new questions debated through all rounds, for rules that need them. */
  readonly freshRun: RunResult
  readonly review: DemoReview
  /** The last hash of the bundle's chain. */
  readonly head: string
  readonly debates: DemoDebates
}

interface DemoContext {
  readonly services: DemoServices
  readonly folder: DemoFolder
  readonly options: DemoOptions
  readonly output: DemoOutput
  /** The new questions. The decisions do not read their answers. */
  readonly fresh: readonly DemoQuestion[]
}

/**
 * Runs everything that quorate does on a simulated panel, in its own folder. It debates, calibrates and decides first, and
 * prints how much was acted on, how often wrongly, and one decided question. Reviews, a bundle, an audit, a report and
 * other rules follow.
 */
export async function runDemo(options: DemoOptions, output: DemoOutput): Promise<DemoResult> {
  const { world } = options
  const folder = await claimFolder(options.folder)
  output.print(openingLines(options.seed, folderText(folder), output.page))
  const fresh = await writeInputs(folder, options)
  const services = await openDemoServices(folder.path, world, output.log)
  try {
    const context: DemoContext = { services, folder, options, output, fresh }
    const labelledRun = await debateLabelled(context)
    const calibration = await calibrateLabelled(context, labelledRun)
    const decisions = await decideFresh(context, calibration)
    const checked = await checkDecisions(context, calibration, labelledRun, decisions)
    return await compareAndClose(context, { calibration, labelledRun, ...decisions, ...checked })
  } finally {
    await services.store.close()
  }
}

/** Four times the default, because so few questions would otherwise give few spot checks. */
const SPOT_CHECK_RATE = 0.2

/** Splits of the report. Fewer than the default save time. */
const REPORT_SPLITS = 3

function folderText({ path, replaced }: DemoFolder): string | null {
  return replaced.length === 0 ? null : `${plainText(path)}, of an earlier demo. Replaced: ${replaced.join(', ')}`
}

async function writeInputs(
  folder: DemoFolder,
  { seed, beta, shift, sizes, schemaPath }: DemoOptions,
): Promise<readonly DemoQuestion[]> {
  const { labelled, fresh } = drawDemoQuestions(seed, sizes, shift)
  await writeWhole(
    folder.pathOf('config'),
    starterConfig({ preset: 'simulated', beta, schemaPath, seed, spotCheckRate: SPOT_CHECK_RATE }),
  )
  await writeWhole(folder.pathOf('questions'), questionLines(labelled))
  await writeWhole(folder.pathOf('newQuestions'), questionLines(fresh))
  return fresh
}

async function debateLabelled({ services, folder, options, output }: DemoContext): Promise<RunResult> {
  const { print, page } = output
  const { agents, rounds } = services.config.panel
  const questions = countText(options.sizes.labelled)
  const task = `${questions} questions with known answers, ${agents.length} agents, ${rounds} rounds each ...`
  print(aside('Debate', task, page), 'open')
  const run = await services.debate(DEMO_FILES.questions.name)
  await writeLines(folder.pathOf('debates'), debateLines(services.store, [run]))
  return run
}

async function calibrateLabelled(
  { services, folder, output }: DemoContext,
  { runId, spend }: RunResult,
): Promise<Calibration> {
  const { budget, profile } = services.config
  output.log('calibrating')
  const made = await calibrateRun(services.store, { runId, options: { profile, budget }, beliefs: undefined })
  const { id, file } = made.certified
  await services.store.certificates.save({ id, file, at: services.world.now(), runId })
  await writeWhole(folder.pathOf('certificate'), `${file}\n`)
  await activate(services, made.certified)
  output.print(calibratedLines(made, spend.calls.answered, output.page), 'open')
  return made
}

async function decideFresh(context: DemoContext, { certified }: Calibration): Promise<Decisions> {
  const { services, fresh, options, output } = context
  const { print, page } = output
  const kind = options.shift ? 'new questions, most of them puzzles, a kind that nobody calibrated on' : 'new questions'
  print(aside('Decide', `${countText(fresh.length)} ${kind}, each only until it may be acted on ...`, page), 'open')
  const decidedRun = await services.decide(DEMO_FILES.newQuestions.name, certified)
  const answers = new Map(fresh.map(({ id, gold }) => [id, gold]))
  const decided = await readDecided(services.store, decidedRun.runId, answers)
  const { certificate } = certified
  print(['', ...resultLines({ decided, certificate, calls: decidedRun.spend.calls.answered }, page)])
  if (certificate.canAct()) print(playLines(certificate, decided, page))
  print(promiseLines(certificate, page))
  return { decidedRun, decided }
}

/** Labels spot checks, writes the bundle, and debates the new questions through all rounds for other rules. */
async function checkDecisions(
  context: DemoContext,
  { certified }: Calibration,
  labelledRun: RunResult,
  { decidedRun, decided }: Decisions,
) {
  const { services, folder, output } = context
  const { runId } = decidedRun
  const review = await reviewDemo(services, certified, runId, decided, output.log)
  output.print(reviewLines(review, output.page), 'open')
  await writeExport(services.store, { runId, what: 'decisions', out: folder.pathOf('decisions') })
  await writeExport(services.store, { runId, what: 'bundle', out: folder.pathOf('bundle') })
  const head = (await services.store.ledger.head(runId))?.hash ?? decidedRun.head
  // Stored replies are reused, so no call is repeated.
  const freshRun = await services.debate(DEMO_FILES.newQuestions.name)
  await writeLines(folder.pathOf('debates'), debateLines(services.store, [labelledRun, freshRun]))
  return { review, head, freshRun, debates: await readDemoDebates(folder.pathOf('debates')) }
}

async function compareAndClose(context: DemoContext, played: PlayedDemo): Promise<DemoResult> {
  const { services, folder, options, output } = context
  const { print, log, page } = output
  const { config, world } = services
  const { beta, shift } = options
  const { certificate } = played.calibration.certified
  const size = { rounds: config.panel.rounds, agents: config.panel.agents.length }
  const ours = decidedPoint(config.profile, played.decided, size)
  const compared = comparedPoints(played.debates, usualBudget(beta), config.seed, size, log)
  world.stopping.throwIfAborted()
  const audit = certificate.canAct() ? await reportOn(context) : null
  const isSuspended = played.review.monitor.policy.state === 'suspended'
  if (audit !== null) print(auditLines({ found: audit, ours, beta, shift, isSuspended }, page), 'open')
  const points = [ours, ...compared]
  print(['', ...comparisonLines(points, beta, page)])
  const planned = ours.acted > 0 ? null : planFor(context, played)
  if (planned !== null) {
    print(reachSection(certificate, played.debates, size, page))
    print([heading('Plan', page), ...wrapText(`${planAnswer(planned)} ${FROM_HALVES}`, page.width)])
  }
  world.stopping.throwIfAborted()
  const files = filesLeft(audit !== null)
  const closing = { ...options, files, decisions: await verifiedDecisions(folder, played), head: played.head }
  print(closingLines(closing, page))
  await writeReadme(folder.pathOf('readme'), readmeLines(closing, page))
  return demoResult({ options, played, points, audit, planned, files })
}

/** Otherwise the plan would contradict the table above it. */
const FROM_HALVES =
  'The plan tries certificates from a half of these labels, and those of the table are made from all of them. So the table ' +
  'may act at a beta that the plan finds out of reach.'

/** What the planner finds for the same labels: the smallest reachable budget, and how many labels are missing. */
function planFor({ services, output }: DemoContext, { debates }: PlayedDemo): Plan {
  const { budget, profile } = services.config
  return plan(debates.labelled, {
    profile,
    budget,
    seeds: splitSeeds(REPORT_SPLITS),
    questionOf: debates.questionOf,
    progress: (done, of) => output.log(`planning, ${done + 1} of ${of}`),
  })
}

/** Writes the report and returns the audit, which is part of it. */
async function reportOn({ services, folder, output, options }: DemoContext): Promise<Audit | null> {
  const { budget, profile } = services.config
  const command = `quorate report ${DEMO_FILES.debates.name} --beta ${budget.beta} --splits ${REPORT_SPLITS}`
  const data = await makeReport(folder.pathOf('debates'), {
    profile,
    budget,
    file: {},
    seeds: splitSeeds(REPORT_SPLITS),
    threads: options.threads,
    groupConditional: false,
    order: 'arrival',
    progress: (text: string) => output.log(`report: ${text}`),
    recompute: { command, packageVersion: options.packageVersion },
  })
  const source = { ...data.source, file: `${data.source.file}, a simulated panel` }
  await writeReport(folder.path, { ...data, source, caveats: [...reportCaveats(options), ...data.caveats] })
  return data.audit
}

/** Caveats for readers of the report who have not seen the demo. */
function reportCaveats({ shift, sizes }: DemoOptions): string[] {
  const half = countText(Math.floor((sizes.labelled + sizes.fresh) / 2))
  const mixed =
    'The new questions have another mix. Random halves contain both kinds, so only the audits show the change.'
  return [
    'The panel is simulated: these numbers show the method and are no evidence for it.',
    `Certificates of this page are made from random halves, ${half} debates each. The demo made its own from ` +
      `${countText(sizes.labelled)}, so the rates differ.`,
    ...(shift ? [mixed] : []),
  ]
}

/** The number of decisions that were recomputed from the bundle. Throws if one differs, which would be a defect. */
async function verifiedDecisions(folder: DemoFolder, { head }: PlayedDemo): Promise<number> {
  const verdict = await verifyBundle(folder.pathOf('bundle'), head)
  if (verdict.kind !== 'whole') {
    const { place, reason } = verdict.kind === 'broken' ? verdict : verdict.first
    throw new Error(`demo: the bundle does not verify at ${place}: ${reason}. Please report it`)
  }
  return verdict.decisions
}

function filesLeft(hasReport: boolean): DemoFile[] {
  const names = Object.keys(DEMO_FILES) as DemoFile[] // the keys of a frozen object of ours
  return names.filter((name) => name !== 'report' || hasReport)
}

/** The debates in order of arrival: run by run, and by ID within a run. */
async function* debateLines(store: Store, runs: readonly RunResult[]): AsyncGenerator<string> {
  for (const { runId } of runs) yield* exportLines(store, await findRun(store, runId), 'debates')
}

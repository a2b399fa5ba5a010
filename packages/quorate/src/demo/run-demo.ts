import { type Audit, plan, splitSeeds, usualBudget } from '@quorate/certificate'
import { starterConfig } from '../config/starter-files.ts'
import { writeWhole } from '../files/write-whole.ts'
import { makeReport } from '../page/make-report.ts'
import { writeReport } from '../page/write-report.ts'
import { planAnswer } from '../report/plan-sentences.ts'
import { verifyBundle } from '../run/verify/verify-bundle.ts'
import { countText } from '../text/number-text.ts'
import { heading } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { wrapText } from '../text/wrap-text.ts'
import { auditSection } from './audit-section.ts'
import { type Closing, closingSection, fileLines, nextLines } from './closing-section.ts'
import { comparedPoints, decidedPoint } from './compare.ts'
import { openDemoDesk } from './demo-desk.ts'
import { claimFolder, DEMO_FILES, type DemoFile, type DemoFolder, writeReadme } from './demo-folder.ts'
import type { DemoOptions, DemoStage } from './demo-options.ts'
import { drawDemoQuestions, questionLines } from './demo-questions.ts'
import { type DemoResult, demoResult } from './demo-result.ts'
import { type DemoPlace, type HeldDemo, holdDemo } from './hold-demo.ts'
import { operatingSection } from './operating-section.ts'
import { aside } from './page-text.ts'
import { panelSection } from './panel-section.ts'
import { playsSection } from './plays-section.ts'
import { reachSection } from './reach-section.ts'

/**
 * Everything quorate does, on a simulated panel: questions and a config in a folder, debates held and kept in a store, a
 * certificate, decisions, a comparison, an audit, a report and a bundle.
 */
export async function runDemo(options: DemoOptions, stage: DemoStage): Promise<DemoResult> {
  const { seed, world } = options
  const { page, print, tell } = stage
  const folder = await claimFolder(options.folder)
  print([
    `${heading('quorate demo', page)}, seed ${seed}`,
    'simulated panel, no model is called, nothing leaves this machine',
  ])
  print([...aside('Folder', folderText(folder), page), ...panelSection(page)])
  await writeInputs(folder, options)
  const desk = await openDemoDesk({ folder: folder.path, world, tell })
  try {
    const place: DemoPlace = { desk, folder, options, stage }
    return await tellDemo(place, await holdDemo(place), options)
  } finally {
    await desk.store.close()
  }
}

/** Four times the usual: so few questions would leave little to see. */
const SPOT_CHECK_RATE = 0.2

/** Splits of the report: fewer than usual, for seconds. */
const REPORT_SPLITS = 3

async function tellDemo(place: DemoPlace, held: HeldDemo, options: DemoOptions): Promise<DemoResult> {
  const { desk, folder, stage } = place
  const { print, tell, page } = stage
  const { config } = desk
  const { certificate } = held.calibration.certified
  const size = { rounds: config.panel.rounds, agents: config.panel.agents.length }
  const ours = decidedPoint(config.profile, held.decided, size)
  const points = [
    ours,
    ...comparedPoints(held.debates, { budget: usualBudget(options.beta), seed: config.seed, size, tell }),
  ]
  print(operatingSection(points, options.beta, page))
  options.world.stopping.throwIfAborted()
  const planned = ours.acted > 0 ? null : planFor(held, place)
  if (planned === null) print(playsSection(certificate, held.decided, page))
  else {
    print(reachSection(certificate, { debates: held.debates, size }, page))
    print([heading('Plan', page), ...wrapText(planAnswer(planned), page.width)])
  }
  const audit = certificate.canAct() ? await reportOn(place, options) : null
  const { beta, shift } = options
  const isHeld = held.review.monitor.policy.state === 'held'
  if (audit !== null) print(auditSection({ found: audit, ours, beta, shift, isHeld }, page))
  options.world.stopping.throwIfAborted()
  const decisions = await verifiedDecisions(folder, held)
  const files = filesLeft(audit !== null)
  const closing: Closing = { ...options, files, decisions, head: held.head }
  print(closingSection(closing, page))
  await writeReadme(folder.place('readme'), ['', ...fileLines(closing), '', 'Next', ...nextLines(closing, page)])
  return demoResult({ options, held, points, audit, planned, files })
}

function folderText({ path, replaced }: DemoFolder): string {
  const before = replaced.length === 0 ? 'new' : `of an earlier demo; replaced: ${replaced.join(', ')}`
  return `${plainText(path)}, ${before}`
}

async function writeInputs(folder: DemoFolder, { seed, beta, shift, sizes, schemaPath }: DemoOptions): Promise<void> {
  const { labelled, fresh } = drawDemoQuestions(seed, sizes, shift)
  await writeWhole(
    folder.place('config'),
    starterConfig({ preset: 'simulated', beta, schemaPath, seed, spotCheckRate: SPOT_CHECK_RATE }),
  )
  await writeWhole(folder.place('questions'), questionLines(labelled))
  await writeWhole(folder.place('newQuestions'), questionLines(fresh))
}

/** What the planner says of the same labels: the smallest budget within reach, and how many labels are missing. */
function planFor({ debates }: HeldDemo, { desk, stage }: DemoPlace) {
  const { budget, profile } = desk.config
  return plan(debates.labelled, {
    ...{ profile, budget, seeds: splitSeeds(REPORT_SPLITS), questionOf: debates.questionOf },
    progress: (done, of) => stage.tell(`planning, ${done + 1} of ${of}`),
  })
}

/** Writes the report; the audit is part of it. */
async function reportOn({ desk, folder, stage }: DemoPlace, options: DemoOptions): Promise<Audit | null> {
  const { budget, profile } = desk.config
  const command = `quorate report ${DEMO_FILES.debates.name} --beta ${budget.beta} --splits ${REPORT_SPLITS}`
  const data = await makeReport(folder.place('debates'), {
    ...{ profile, budget, file: {}, seeds: splitSeeds(REPORT_SPLITS), threads: options.threads },
    ...{ groupConditional: false, order: 'arrival', progress: (text: string) => stage.tell(`report: ${text}`) },
    recompute: { command, packageVersion: options.packageVersion },
  })
  const source = { ...data.source, file: `${data.source.file}, a simulated panel` }
  await writeReport(folder.path, { ...data, source, caveats: [...reportCaveats(options), ...data.caveats] })
  return data.audit
}

/** What a reader of the report must know who has not seen the demo. */
function reportCaveats({ shift, sizes }: Pick<DemoOptions, 'shift' | 'sizes'>): string[] {
  const half = countText(Math.floor((sizes.labelled + sizes.fresh) / 2))
  return [
    'The panel is simulated: these numbers show the method and are no evidence for it.',
    `Certificates of this page are made from random halves, ${half} debates each; the demo made its own from ` +
      `${countText(sizes.labelled)}, so the rates differ.`,
    ...(shift
      ? [
          'The new questions are of another mix. Halves drawn by lot hold both, so that only the audits show the change.',
        ]
      : []),
  ]
}

/** How many decisions of the bundle come out again: all of them, or this is a defect. */
async function verifiedDecisions(folder: DemoFolder, { head }: HeldDemo): Promise<number> {
  const verdict = await verifyBundle(folder.place('bundle'), head)
  if (verdict.kind !== 'whole') {
    const { place, reason } = verdict.kind === 'broken' ? verdict : verdict.first
    throw new Error(`demo: the bundle does not verify at ${place}: ${reason}; please report it`)
  }
  return verdict.decisions
}

function filesLeft(hasReport: boolean): DemoFile[] {
  const names = Object.keys(DEMO_FILES) as DemoFile[] // the keys of a frozen object of ours
  return names.filter((name) => name !== 'report' || hasReport)
}

import { writeWhole } from '../files/write-whole.ts'
import { type Calibration, calibrateRun } from '../run/calibration/calibrate-run.ts'
import { exportLines } from '../run/exchange/export-lines.ts'
import { writeExport } from '../run/exchange/write-export.ts'
import { writeLines } from '../run/exchange/write-lines.ts'
import { foundRun } from '../run/found-run.ts'
import type { RunResult } from '../run/run-to-end.ts'
import type { Store } from '../store/store.ts'
import { countText } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import { budgetSection } from './budget-section.ts'
import { type DemoDebates, readDemoDebates } from './compare.ts'
import { type Decided, readDecided } from './decided.ts'
import { decidedSection } from './decided-section.ts'
import type { DemoDesk } from './demo-desk.ts'
import { DEMO_FILES, type DemoFolder } from './demo-folder.ts'
import type { DemoOptions, DemoStage } from './demo-options.ts'
import { activate, type DemoReview, reviewDemo } from './demo-review.ts'
import { aside } from './page-text.ts'
import { cautionSection } from './panel-section.ts'
import { reviewSection } from './review-section.ts'

/** What was held, calibrated and decided, all of it in the store by now. */
export interface HeldDemo {
  readonly calibration: Calibration
  readonly labelledRun: RunResult
  readonly decidedRun: RunResult
  /** The new questions through all rounds, for rules that want them. */
  readonly freshRun: RunResult
  readonly decided: readonly Decided[]
  readonly review: DemoReview
  /** The last hash of the bundle's chain. */
  readonly head: string
  readonly debates: DemoDebates
}

export interface DemoPlace {
  readonly desk: DemoDesk
  readonly folder: DemoFolder
  readonly options: Pick<DemoOptions, 'sizes' | 'shift'>
  readonly stage: DemoStage
}

/** What `quorate debate`, `calibrate`, `decide` and a reviewer do, one after the other, on the folder's config and questions. */
export async function holdDemo(place: DemoPlace): Promise<HeldDemo> {
  const labelledRun = await debateLabelled(place)
  const calibration = await calibrateLabelled(place, labelledRun)
  const fresh = await decideFresh(place, calibration)
  const { desk, folder } = place
  await writeLines(folder.place('debates'), debateLines(desk.store, [labelledRun, fresh.freshRun]))
  const debates = await readDemoDebates(folder.place('debates'))
  return { calibration, labelledRun, ...fresh, debates }
}

async function debateLabelled({ desk, folder, options, stage }: DemoPlace): Promise<RunResult> {
  const { print, page } = stage
  const { agents, rounds } = desk.config.panel
  const [questions, store] = [countText(options.sizes.labelled), plainText(folder.place('store'))]
  const task = `${questions} questions with known answers, ${agents.length} agents, ${rounds} rounds each ...`
  print(aside('Debate', task, page), 'open')
  const run = await desk.debate(DEMO_FILES.questions.name)
  const { answered } = run.spend.calls
  const reminders = answered - agents.length * rounds * options.sizes.labelled
  const extra = reminders > 0 ? `, ${countText(reminders)} of them after an answer that could not be read` : ''
  print(aside('', `${countText(answered)} calls answered${extra}; every reply kept in ${store}`, page), 'open')
  await writeLines(folder.place('debates'), debateLines(desk.store, [run]))
  const { labelled } = await readDemoDebates(folder.place('debates'))
  print(cautionSection(labelled, page))
  return run
}

async function calibrateLabelled({ desk, folder, stage }: DemoPlace, { runId }: RunResult): Promise<Calibration> {
  const { print, tell, page } = stage
  const { budget, profile } = desk.config
  print(aside('Calibrate', 'a certificate from these debates ...', page), 'open')
  tell('calibrating')
  const made = await calibrateRun(desk.store, { runId, options: { profile, budget }, beliefs: undefined })
  const { id, file } = made.certified
  await desk.store.certificates.save({ id, file, at: desk.world.now(), runId })
  await writeWhole(folder.place('certificate'), `${file}\n`)
  await activate(desk, made.certified)
  print(budgetSection(made, page))
  return made
}

type Fresh = Pick<HeldDemo, 'decidedRun' | 'freshRun' | 'decided' | 'review' | 'head'>

async function decideFresh({ desk, folder, options, stage }: DemoPlace, { certified }: Calibration): Promise<Fresh> {
  const { print, page } = stage
  const kind = options.shift ? 'new questions, most of them puzzles, a kind that nobody calibrated on' : 'new questions'
  const task = `${countText(options.sizes.fresh)} ${kind}, each only until it may be acted on ...`
  print(aside('Decide', task, page), 'open')
  // Other rules want all rounds. What is answered is in the store and is not asked again; decided last, the decisions
  // stand first in every list.
  const freshRun = await desk.debate(DEMO_FILES.newQuestions.name)
  const decidedRun = await desk.decide(DEMO_FILES.newQuestions.name, certified)
  const { runId } = decidedRun
  const decided = await readDecided(desk.store, runId, freshRun.runId)
  print(
    decidedSection(
      {
        result: decidedRun,
        decided,
        callsOfAllRounds: freshRun.spend.calls.answered,
        certificate: certified.certificate,
      },
      page,
    ),
    'open',
  )
  const review = await reviewDemo(desk, certified, { runId, decided, tell: stage.tell })
  print(reviewSection(review, decided, page))
  await writeExport(desk.store, { runId, what: 'decisions', out: folder.place('decisions') })
  await writeExport(desk.store, { runId, what: 'bundle', out: folder.place('bundle') })
  const head = (await desk.store.ledger.head(runId))?.hash ?? decidedRun.head
  return { decidedRun, freshRun, decided, review, head }
}

/** In the order of arrival: run after run, and by id in each. */
async function* debateLines(store: Store, runs: readonly RunResult[]): AsyncGenerator<string> {
  for (const { runId } of runs) yield* exportLines(store, await foundRun(store, runId), 'debates')
}

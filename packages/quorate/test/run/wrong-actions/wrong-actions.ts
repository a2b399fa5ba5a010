import { type Debate, decide, seededRandom, sha256 } from '@quorate/certificate'
import type { Ask } from '../../../src/debate/ask.ts'
import type { Question } from '../../../src/record/question.ts'
import { calibrationDebates, type RecordedDebate } from '../../../src/run/calibration/calibration-debates.ts'
import type { Certified } from '../../../src/run/calibration/certified.ts'
import { makeCertified } from '../../../src/run/calibration/make-certificate.ts'
import { createNotices } from '../../../src/run/calls/notices.ts'
import { debateQuestion, type Verdict } from '../../../src/run/debate-question.ts'
import { type Deciding, prepareDeciding } from '../../../src/run/deciding.ts'
import { intakeOf } from '../../../src/run/intake.ts'
import type { RunContext } from '../../../src/run/run-context.ts'
import type { RunPlan } from '../../../src/run/run-plan.ts'
import { recogniseQuestion } from '../../../src/simulated/questions/recognise-question.ts'
import { simulateRounds } from '../../../src/simulated/simulate-debate.ts'
import { onlyParts } from '../../workers/only-parts.ts'
import { countedModels, each, samplePlan, simulatedQuestions } from '../sample-panel.ts'

export interface Trial {
  /** Seed of the questions. One panel answers them all. */
  readonly seed: number
  /** Labelled questions, and as many new ones. */
  readonly count: number
  readonly budget: { readonly beta: number; readonly delta: number; readonly epsilon: number }
}

export interface TrialResult {
  readonly seed: number
  readonly decided: number
  readonly acted: number
  readonly wrong: number
}

/** Seed of the models and the plan in sample-panel.ts. */
const MODEL_SEED = 7
const ROUNDS = 4

const NEVER = new AbortController().signal

/**
 * Debates labelled questions, makes a certificate, and counts how often it acts wrongly on new questions. The debates have no
 * texts, because rendering and parsing half a million replies would take minutes.
 */
export async function tryOut(trial: Trial): Promise<TrialResult> {
  const { labelled, fresh } = samples(trial)
  const { certificate } = await certifiedFromDebates(meantDebates(labelled), trial)
  const decided = meantDebates(fresh).map((debate) => ({ debate, decision: decide(certificate, debate) }))
  const acts = decided.flatMap(({ debate, decision }) =>
    decision.kind === 'act' ? [decision.answer === debate.gold] : [],
  )
  const wrong = acts.filter((isRight) => !isRight).length
  return { seed: trial.seed, decided: decided.length, acted: acts.length, wrong }
}

/** Debates of the simulated models, as answers and confidences without texts. */
export function meantDebates(questions: readonly Question[]): readonly Debate[] {
  return questions.map(({ id, group, question, options, gold }) => {
    const known = recogniseQuestion(question)
    if (known === null) throw new Error(`this question was not drawn by the simulator: ${question}`)
    const { right, lure } = known.question
    const first = [right, lure].map((text) => options.find((option) => option.text === text)?.name ?? '')
    const letters = [...first, ...options.map(({ name }) => name).filter((name) => !first.includes(name))]
    const random = seededRandom(Number.parseInt(sha256(`${MODEL_SEED}\n${question}`).slice(0, 8), 16))
    const rounds = simulateRounds(random, known.family, { letters, rounds: ROUNDS })
    return { id, group, question, options: options.map(({ name }) => name), gold, rounds }
  })
}

export function samples({ seed, count }: Pick<Trial, 'seed' | 'count'>) {
  const questions = simulatedQuestions(2 * count, { seed })
  const { models } = countedModels()
  const plan = samplePlan({ kind: 'decide', seed })
  return { plan, models, ask: askDirectly(models), labelled: questions.slice(0, count), fresh: questions.slice(count) }
}

/** Asks the models directly, without store, traffic or prices. */
function askDirectly(models: ReturnType<typeof countedModels>['models']): Ask {
  return async ({ agent, messages, settings }) => {
    const model = models.get(agent)?.model
    if (model === undefined) throw new Error(`there is no model for ${agent}`)
    return { kind: 'reply', reply: await model.call({ messages, settings, signal: NEVER }) }
  }
}

interface Debating {
  readonly plan: RunPlan
  readonly ask: Ask
}

export async function debatesOf(questions: readonly Question[], { plan, ask }: Debating): Promise<readonly Debate[]> {
  const run = unpaidRun(plan, null)
  const debates: Debate[] = []
  for (const question of questions) {
    const found = await debateQuestion(run, { question, isSpotCheck: false, ask })
    if (found.kind === 'debated') debates.push(found.debate)
  }
  return debates
}

/** A run without a store, in which nothing is paid for or written. */
function unpaidRun(plan: RunPlan, deciding: Deciding | null): RunContext {
  const sleep = () => new Promise<void>(() => {})
  return onlyParts<RunContext>({
    telemetry: null,
    plan,
    deciding,
    tools: { sleep, stopping: NEVER, aborting: NEVER },
    calls: { notices: createNotices() },
  } as never) // a plan and a certificate are whole
}

/** The decision of a run: its own code, with answers that come directly from the models. */
export async function directVerdicts(
  questions: readonly Question[],
  { plan, ask, certified }: Debating & { readonly certified: Certified },
): Promise<ReadonlyMap<string, Verdict>> {
  const { rows } = await intakeOf(each(questions))
  const permissions = { allowMismatch: false, allowSeen: false }
  const deciding: Deciding = prepareDeciding(certified, { panel: plan.panel, rows }, permissions)
  const run = unpaidRun(plan, deciding)
  const verdicts = new Map<string, Verdict>()
  for (const question of questions) {
    const found = await debateQuestion(run, { question, isSpotCheck: false, ask })
    if (found.kind === 'debated' && found.verdict !== null) verdicts.set(question.id, found.verdict)
  }
  return verdicts
}

export async function certifiedFromDebates(debates: readonly Debate[], { budget }: Pick<Trial, 'budget'>) {
  const rows: RecordedDebate[] = debates.map((value) => ({ value, place: value.id }))
  const read = await calibrationDebates(each(rows), { where: 'trial', beliefs: 'stated' })
  return makeCertified(read, { profile: 'cells', budget })
}

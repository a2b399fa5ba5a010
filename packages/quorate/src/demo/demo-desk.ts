import { join } from 'node:path'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { simulatedModel } from '../model/simulated-model.ts'
import { readQuestions } from '../questions/read-questions.ts'
import type { Question } from '../record/question.ts'
import type { Certified } from '../run/calibration/certified.ts'
import type { PaidModel } from '../run/calls/pay-for-call.ts'
import type { RunProgress } from '../run/progress.ts'
import { runPlan } from '../run/run-plan.ts'
import type { RunResult } from '../run/run-to-end.ts'
import { prepareRun, type RunWorld, runToEnd } from '../run/run-to-end.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { countText } from '../text/number-text.ts'

export interface DemoDeskOptions {
  readonly folder: string
  readonly world: RunWorld
  /** Told what is being done. */
  readonly tell: (text: string) => void
}

/** The config of the folder at work: what the commands debate and decide do, with nothing from the environment. */
export interface DemoDesk {
  readonly config: LoadedConfig['config']
  readonly store: Store
  readonly world: RunWorld
  /** Throws the reason of `stopping` where it was told to stop. */
  debate(questions: string): Promise<RunResult>
  decide(questions: string, certified: Certified): Promise<RunResult>
}

export async function openDemoDesk({ folder, world, tell }: DemoDeskOptions): Promise<DemoDesk> {
  const { config } = await loadConfig({ folder, env: {} })
  const models = simulatedModels(config)
  const store = await openStore(config.store.url, { ...config.store, now: world.now })
  const hold = async (kind: 'debate' | 'decide', questions: string, certified: Certified | null) => {
    const allowed = certified && { certified, allowMismatch: false, allowSeen: false }
    const read = readQuestions(join(folder, questions))
    const asked = kind === 'decide' ? withoutAnswers(read) : read
    const prepared = await prepareRun(runPlan(config, { kind }), asked, allowed)
    const holder = { store, models, world, resume: { kind: 'new' }, retryErrors: false } as const
    const result = await runToEnd(prepared, holder, { onProgress: (progress) => tell(progressText(kind, progress)) })
    world.stopping.throwIfAborted()
    return checked(result)
  }
  return {
    config,
    store,
    world,
    debate: (questions) => hold('debate', questions, null),
    decide: (questions, certified) => hold('decide', questions, certified),
  }
}

/** As they would come in: nobody knows the answer until somebody looks. */
async function* withoutAnswers(questions: AsyncIterable<Question>): AsyncGenerator<Question> {
  for await (const question of questions) yield { ...question, gold: null }
}

/** Simulated agents only, whatever the config says: no model can be called from here. */
function simulatedModels({ panel, seed }: LoadedConfig['config']): ReadonlyMap<string, PaidModel> {
  return new Map(
    panel.agents.map(({ name, model, insist }) => {
      return [name, { model: simulatedModel({ agent: model.replace(/^simulated\//, ''), seed }), insist }]
    }),
  )
}

function progressText(kind: string, { questions, statuses, spent }: RunProgress): string {
  const done = countText(questions - statuses.pending)
  return `${kind}: ${done} of ${countText(questions)} questions, ${countText(spent.answered)} calls`
}

function checked(result: RunResult): RunResult {
  const { done, ...others } = result.tally.statuses
  if (Object.values(others).every((count) => count === 0)) return result
  throw new Error(
    `demo: expected every question done, got ${JSON.stringify(others)}; this is a defect, please report it`,
  )
}

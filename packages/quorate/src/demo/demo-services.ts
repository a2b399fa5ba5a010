import { join } from 'node:path'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { createPanel, type PanelOptions } from '../panel/create-panel.ts'
import { readQuestions } from '../questions/read-questions.ts'
import type { Question } from '../record/question.ts'
import type { Certified } from '../run/calibration/certified.ts'
import type { RunProgress } from '../run/progress.ts'
import type { RunResult, RunWorld } from '../run/run-to-end.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { countText } from '../text/number-text.ts'

export interface DemoServicesOptions {
  readonly folder: string
  readonly world: RunWorld
  /** Called with what is being done. */
  readonly log: (text: string) => void
}

/** The config of the folder at work: what the commands debate and decide do, with nothing from the environment. */
export interface DemoServices {
  readonly config: LoadedConfig['config']
  readonly store: Store
  readonly world: RunWorld
  /** Throws the reason of `stopping` where it was stopped. */
  debate(questions: string): Promise<RunResult>
  decide(questions: string, certified: Certified): Promise<RunResult>
}

export async function openDemoServices({ folder, world, log }: DemoServicesOptions): Promise<DemoServices> {
  const { config } = await loadConfig({ folder, env: {} })
  const store = await openStore(config.store.url, { ...config.store, now: world.now })
  const { stopping, aborting: _, ...own } = world
  const run = async (kind: 'debate' | 'decide', name: string, certificate: Pick<PanelOptions, 'certificate'>) => {
    const read = readQuestions(join(folder, name))
    const panel = await createPanel({ config: config.file, env: {}, store, world: own, ...certificate })
    const result = await panel.run(kind === 'decide' ? withoutAnswers(read) : read, {
      kind,
      signal: stopping,
      onProgress: (progress) => log(progressText(kind, progress)),
    })
    await panel.close()
    stopping.throwIfAborted()
    return checked(result)
  }
  return {
    config,
    store,
    world,
    debate: (questions) => run('debate', questions, {}),
    decide: (questions, certified) => run('decide', questions, { certificate: certified }),
  }
}

/** As they would arrive: nobody knows the answer until a person reviews them. */
async function* withoutAnswers(questions: AsyncIterable<Question>): AsyncGenerator<Question> {
  for await (const question of questions) yield { ...question, gold: null }
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

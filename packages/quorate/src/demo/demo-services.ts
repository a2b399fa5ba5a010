import { join } from 'node:path'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { createPanel } from '../panel/create-panel.ts'
import { readQuestions } from '../questions/read-questions.ts'
import type { Question } from '../record/question.ts'
import type { Certified } from '../run/calibration/certified.ts'
import type { RunProgress } from '../run/progress.ts'
import type { RunResult, RunWorld } from '../run/run-to-end.ts'
import { openStoreAt } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { countText } from '../text/number-text.ts'

/** What the commands `debate` and `decide` do with the config of the folder, without reading the environment. */
export interface DemoServices {
  readonly config: LoadedConfig['config']
  readonly store: Store
  readonly world: RunWorld
  /** Throws the reason of `stopping` if it was stopped. */
  debate(questions: string): Promise<RunResult>
  decide(questions: string, certified: Certified): Promise<RunResult>
}

/** `log` is called with a text that describes the current step. */
export async function openDemoServices(
  folder: string,
  world: RunWorld,
  log: (text: string) => void,
): Promise<DemoServices> {
  const { config } = await loadConfig({ folder, env: {} })
  const store = await openStoreAt(config.store.url, { ...config.store, now: world.now })
  const { stopping, aborting: _, ...own } = world
  const run = async (kind: 'debate' | 'decide', name: string, certificate?: Certified) => {
    const read = readQuestions(join(folder, name))
    const chosen = certificate === undefined ? {} : { certificate }
    const panel = await createPanel({ config: config.file, env: {}, store, world: own, ...chosen })
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
    debate: (questions) => run('debate', questions),
    decide: (questions, certified) => run('decide', questions, certified),
  }
}

/** The questions as they would arrive in use, where the answer is unknown until a person reviews them. */
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
    `demo: expected every question done, got ${JSON.stringify(others)}. This is a defect. Please report it`,
  )
}

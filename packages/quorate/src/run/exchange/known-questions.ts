import { debateSchema, optionNames } from '../../record/debate.ts'
import { findStored } from '../../record/parse-stored.ts'
import type { Store } from '../../store/store.ts'
import { allRuns } from '../find-run.ts'
import { pages } from '../pages.ts'
import { readStoredQuestion } from '../stored-question.ts'

/** What the runs of a store say about a question. */
export interface KnownQuestion {
  readonly options: ReadonlySet<string>
  /** Right options that stand in the questions themselves: those count before any label. */
  readonly golds: ReadonlySet<string>
}

/** Of the questions with these ids, over all runs: the same question may have been in several. */
export async function knownQuestions(
  store: Store,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KnownQuestion>> {
  const known = new Map<string, { options: Set<string>; golds: Set<string> }>()
  for await (const { id: runId } of allRuns(store)) {
    const rows = pages(
      (page) => store.runs.questions(runId, page),
      -1,
      ({ position }) => position,
    )
    for await (const { questionId, question } of rows) {
      if (!ids.has(questionId)) continue
      const { options, gold } = question === null ? await erased(store, runId, questionId) : readNames(question)
      const held = known.get(questionId) ?? { options: new Set(), golds: new Set() }
      known.set(questionId, held)
      for (const option of options) held.options.add(option)
      if (gold !== null) held.golds.add(gold)
    }
  }
  return known
}

interface Names {
  readonly options: readonly string[]
  readonly gold: string | null
}

function readNames(question: string): Names {
  const { options, gold } = readStoredQuestion(question)
  return { options: options.map(({ name }) => name), gold }
}

/** The text is gone; the debate, if there was one, still names its options. */
async function erased(store: Store, runId: string, questionId: string): Promise<Names> {
  const stored = await store.debates.find(runId, questionId)
  const debate = findStored(namesSchema, stored?.debate ?? null)
  return debate === null
    ? { options: [], gold: null }
    : { options: optionNames(debate.options), gold: debate.gold ?? null }
}

const namesSchema = debateSchema.pick({ options: true, gold: true })

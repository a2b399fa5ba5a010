import type { LoadedConfig } from '../../config/load-config.ts'
import { isLabelled, type Question } from '../../record/question.ts'
import type { PaidModel } from '../../run/calls/pay-for-call.ts'
import type { Store } from '../../store/store.ts'
import type { QuestionFile } from '../question-file.ts'

/** The questions of one file, and what answers them. */
export interface Job extends QuestionFile {
  readonly loaded: LoadedConfig
  readonly models: ReadonlyMap<string, PaidModel>
  readonly store: Store
  /** All rows in the order of the file; an imported label is in `gold`. Every call reads the file again. */
  readonly questions: () => AsyncGenerator<Question>
}

/** Lines of the final output: a word and a text each. */
export type Lines = (readonly [string, string])[]

/** Facts for machines beside the lines for people. */
export type Facts = Record<string, unknown>

export interface JobOutput {
  readonly lines: Lines
  readonly facts: Facts
}

const BATCH = 200

/** A label that came by `quorate import` counts like one that stands in the file. */
export async function* withImportedLabels(store: Store, questions: AsyncIterable<Question>): AsyncGenerator<Question> {
  for await (const page of inPages(questions, BATCH)) {
    const golds = new Map<string, string | null>()
    for (const { questionId, source, gold } of await store.labels.ofAll(page.map(({ id }) => id))) {
      if (source === 'import') golds.set(questionId, gold)
    }
    for (const question of page) {
      yield isLabelled(question) ? question : { ...question, gold: golds.get(question.id) ?? null }
    }
  }
}

export async function* inPages<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<readonly Item[]> {
  let page: Item[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

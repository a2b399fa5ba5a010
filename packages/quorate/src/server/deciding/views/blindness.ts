import { byName } from '../../../debate/debate-record.ts'
import { commonAnswers, readQuestion } from '../../../questions/read-question.ts'
import { contentOf, contentsOf, isAmong } from '../../../run/calibration/content-hash.ts'
import { readStoredQuestion } from '../../../run/stored-question.ts'
import type { HidingItem } from '../../../store/reviews/reviews.ts'
import type { Services, ServiceTools } from '../../services.ts'

/** What review items hide from people, and the record of admins who revealed it. */
export function createBlindness(tools: ServiceTools): Services['blindness'] {
  const { store, now, panel } = tools
  const common = 'missing' in panel ? null : commonAnswers(panel.plan)
  return {
    hidden: (among) => store.reviews.hidden({ ...among, now: now() }),
    async hidesAny(runId) {
      for (const status of ['waiting', 'submitted'] as const) {
        const page = { runId, status, after: null, limit: 1, now: now() }
        if ((await store.reviews.hiding(page)).length > 0) return true
      }
      return false
    },
    async isHiding(input) {
      const question = readQuestion({ ...input, id: input.id ?? 'new' }, 'the question', common)
      for await (const page of hidingPages(tools)) {
        if (isAmong(contentsOf(page.flatMap(contentOfItem)), question)) return true
      }
      return false
    },
    async reveal({ runId, questionIds, who }) {
      for (const questionId of questionIds) {
        const body = { questionId, by: who.name }
        await store.reviews.sawPanel({ runId, questionId, reviewer: who.name })
        await store.ledger.append({ runId, kind: 'blind-revealed', at: now(), body, texts: [] })
      }
    },
  }
}

const ITEMS_PER_PAGE = 500

async function* hidingPages({ store, now }: ServiceTools) {
  for (const status of ['waiting', 'submitted'] as const) {
    let after: string | null = null
    do {
      const query = { status, after, limit: ITEMS_PER_PAGE, now: now() }
      const page: readonly HidingItem[] = await store.reviews.hiding(query)
      yield page
      after = page.length < ITEMS_PER_PAGE ? null : (page.at(-1)?.id ?? null)
    } while (after !== null)
  }
}

function contentOfItem({ question }: HidingItem) {
  if (question === null) return []
  const { question: text, options } = readStoredQuestion(question)
  return contentOf({ question: text, options: byName(options.map(({ name, text: words }) => [name, words])) }) ?? []
}

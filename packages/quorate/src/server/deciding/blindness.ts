import type { Services, ServiceTools } from '../services.ts'

/** What items of the queue hide, and who looked behind one all the same. */
export function createBlindness({ store, now }: Pick<ServiceTools, 'store' | 'now'>): Services['blindness'] {
  return {
    hidden: (among) => store.reviews.hidden({ ...among, now: now() }),
    async reveal({ runId, questionIds, who }) {
      for (const questionId of questionIds) {
        const body = { questionId, by: who.name }
        await store.ledger.append({ runId, kind: 'blind-revealed', at: now(), body, texts: [] })
      }
    },
  }
}

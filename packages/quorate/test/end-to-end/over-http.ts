import type { DecisionView, NextReview } from '../../src/contract/index.ts'
import type { DemoQuestion } from '../../src/demo/demo-questions.ts'
import { RIGHT } from './quorate-folder.ts'
import { asked, type Served } from './served.ts'

/** Asks the panel over HTTP and waits for each decision. */
export async function decideOverHttp(
  served: Served,
  questions: readonly DemoQuestion[],
): Promise<readonly DecisionView[]> {
  return Promise.all(
    questions.map(async ({ id, question, options, group }) => {
      const begun = await asked<DecisionView>(served, '/v1/decisions', { body: { id, question, options, group } })
      for (let view = begun; ; view = await asked(served, `/v1/decisions/${begun.id}?wait=30`)) {
        if (view.status === 'decided') return view
      }
    }),
  )
}

/** Takes item after item and says what `choose` says of its question, until nothing waits. */
export async function reviewOverHttp(
  served: Served,
  choose: (question: string) => string | undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  for (let reviewed = 0; ; reviewed++) {
    if (reviewed >= most) return reviewed
    const { item } = await asked<NextReview>(served, '/v1/reviews/next', { body: {} })
    if (item === null) return reviewed
    const option = choose(item.question ?? '')
    const outcome = option === undefined ? { kind: 'cannot-tell' } : { kind: 'option', option }
    await asked(served, `/v1/reviews/${item.id}/submit`, { body: { outcome } })
  }
}

export function rightOption(question: string): string | undefined {
  return RIGHT.get(question)
}

export function wrongOption(question: string): string {
  return RIGHT.get(question) === 'A' ? 'B' : 'A'
}

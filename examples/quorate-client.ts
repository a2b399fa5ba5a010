import { decisionViewSchema, problemSchema, reviewItemSchema } from 'quorate/contract'

/** A ticket that the panel decides. Its id is stable, so the question can be repeated safely after any crash. */
export interface Ticket {
  readonly id: string
  readonly question: string
  readonly options: Readonly<Record<string, string>>
}

/** The program's own tickets. `settle` must be idempotent. */
export interface Tickets {
  find(id: string): Promise<Ticket>
  settle(id: string, answer: string): Promise<void>
}

/** The program acts on the answer, or waits until a person has reviewed the item. */
export type Decided =
  | { readonly kind: 'act'; readonly answer: string }
  | { readonly kind: 'defer'; readonly reviewId: string }

export interface Quorate {
  decide(ticket: Ticket): Promise<Decided>
  /** The answer of the reviewer; null until there is one. Throws if the reviewer found no right answer. */
  reviewed(reviewId: string): Promise<string | null>
}

/** The two routes of the HTTP API that an agent needs. */
export function createClient({ url, token }: { readonly url: string; readonly token: string }): Quorate {
  async function request(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const read: unknown = await answer.json()
    if (answer.ok) return read
    throw new Error(`quorate answered ${answer.status}: ${problemSchema.parse(read).detail}`)
  }
  return {
    async decide(ticket) {
      let view = decisionViewSchema.parse(await request('POST', '/v1/decisions', ticket))
      while (view.status === 'pending' || view.status === 'running') {
        view = decisionViewSchema.parse(await request('GET', `/v1/decisions/${view.id}?wait=50`))
      }
      const { decision, reviewId } = view
      if (decision?.kind === 'act' && decision.answer !== null) return { kind: 'act', answer: decision.answer }
      if (decision?.kind === 'defer' && reviewId !== null) return { kind: 'defer', reviewId }
      throw new Error(`the ticket ${ticket.id} could not be decided`)
    },
    async reviewed(reviewId) {
      const { status, outcome } = reviewItemSchema.parse(await request('GET', `/v1/reviews/${reviewId}`))
      if (status !== 'submitted') return null
      if (outcome?.kind === 'option') return outcome.option
      throw new Error(`the reviewer found no right answer: ${outcome?.kind}`)
    },
  }
}

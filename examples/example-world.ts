import { countedModels } from '../packages/quorate/test/run/run-world.ts'
import { inputOf } from '../packages/quorate/test/server/deciding/world.ts'
import { modelWorld, QUESTIONS } from '../packages/quorate/test/server/openai/model-world.ts'
import { createClient, type Ticket } from './quorate-client.ts'

/** A server with a simulated panel, a ticket that it acts on, a ticket that it defers, and a reviewer. */
export async function exampleWorld() {
  const { models, asked } = countedModels()
  const { server, token, services } = await modelWorld({ models, tools: { undoMs: 0 } })
  const url = `http://127.0.0.1:${server.port}`
  const quorate = createClient({ url, token })
  const found = new Map<string, Ticket>()
  for (const question of QUESTIONS.slice(0, 12)) {
    const { group: _, ...ticket } = inputOf(question)
    const { kind } = await quorate.decide(ticket)
    found.set(kind, found.get(kind) ?? ticket)
  }
  const [acted, deferred] = [found.get('act'), found.get('defer')]
  if (acted === undefined || deferred === undefined) throw new Error('the panel decided everything the same way')
  const person = await server.token({ name: 'mira', role: 'reviewer', kind: 'human' })
  return {
    url,
    token,
    quorate,
    acted,
    deferred,
    /** The number of model calls so far. A repeated question must add none. */
    calls: () => asked.length,
    async review(reviewId: string, option: string) {
      for (const [step, body] of [
        ['claim', {}],
        ['submit', { outcome: { kind: 'option', option } }],
      ] as const) {
        const headers = { authorization: `Bearer ${person}`, 'content-type': 'application/json' }
        const request = { method: 'POST', headers, body: JSON.stringify(body) }
        const answer = await fetch(`${url}/v1/reviews/${reviewId}/${step}`, request)
        if (!answer.ok) throw new Error(await answer.text())
      }
    },
    services,
  }
}

import { z } from 'zod'
import { isKeptBlind } from '../access/identity.ts'
import { endpoint } from '../endpoint.ts'
import { metricsText } from '../metrics-text.ts'
import { ProblemError } from '../problem-response.ts'

const fineSchema = z.object({ status: z.literal('ok') })
const FINE: z.output<typeof fineSchema> = Object.freeze({ status: 'ok' })

export const upkeepEndpoints = {
  'GET /healthz': endpoint({ answer: fineSchema, run: async () => FINE }),
  'GET /readyz': endpoint({
    answer: fineSchema,
    async run({ parts }) {
      const detail = parts.stopping.aborted ? 'the server is shutting down' : await parts.unready()
      if (detail === null) return FINE
      throw new ProblemError({ status: 503, detail })
    },
  }),
  'GET /metrics': endpoint({
    answer: null,
    type: 'text/plain',
    async run({ who, services, parts, context }) {
      const hidesBlind = isKeptBlind(who)
      // A target may subscribe to deferrals only. The number of its messages would reveal decisions.
      const outbox = hidesBlind ? null : parts.outboxCounts()
      const [monitor, counts] = await Promise.all([services.monitor({ hidesBlind }), outbox])
      const text = metricsText({
        monitor,
        outbox: counts,
        connections: parts.connections(),
        requests: parts.figures.lines(),
      })
      return context.body(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    },
  }),
}

import { ledgerQuerySchema, ledgerRowSchema } from '../../contract/ledger.ts'
import { pageOf } from '../../contract/page.ts'
import { endpoint } from '../endpoint.ts'
import { shownLedger } from './blind-answers.ts'

export const ledgerEndpoints = {
  'GET /v1/ledger': endpoint({
    query: ledgerQuerySchema,
    answer: pageOf(ledgerRowSchema),
    run: async ({ query, who, services }) => shownLedger({ services, who, query }, await services.ledger.list(query)),
  }),
}

import { agreementViewSchema } from '../../contract/agreement.ts'
import { labelQuerySchema, labelViewSchema } from '../../contract/labels.ts'
import { pageOf } from '../../contract/page.ts'
import { isKeptBlind } from '../access/identity.ts'
import { endpoint } from '../endpoint.ts'
import { shownLabels } from './blind-answers.ts'

export const labelEndpoints = {
  'GET /v1/agreement': endpoint({
    answer: agreementViewSchema,
    run: ({ who, services }) =>
      services.reviews.agreement(
        isKeptBlind(who) ? (questionIds) => services.blindness.hidden({ questionIds }) : undefined,
      ),
  }),
  'GET /v1/labels': endpoint({
    query: labelQuerySchema,
    answer: pageOf(labelViewSchema),
    run: ({ query, who, services }) => shownLabels({ services, who }, query),
  }),
}

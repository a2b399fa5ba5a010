import { monitorSchema, policyNoteSchema, policyReleaseSchema, policyStateSchema } from '../../contract/monitor.ts'
import { isKeptBlind } from '../access/identity.ts'
import { endpoint } from '../endpoint.ts'

export const policyEndpoints = {
  'GET /v1/monitor': endpoint({
    answer: monitorSchema,
    run: ({ who, services }) => services.monitor({ hidesBlind: isKeptBlind(who) }),
  }),
  'POST /v1/policy/suspend': endpoint({
    body: policyNoteSchema,
    answer: policyStateSchema,
    run: ({ body, who, services }) => services.policy.suspend(body.note, who),
  }),
  'POST /v1/policy/release': endpoint({
    body: policyReleaseSchema,
    answer: policyStateSchema,
    run: ({ body: { note, since }, who, services }) => services.policy.release(note, who, since),
  }),
}

import type { ReadDebates } from '../../src/certificate/read-debates.ts'
import type { FittedPolicy, Policy, PolicyOptions } from '../../src/policies/policy.ts'

/** The fitted policy; a reason not to fit fails the test. */
export function fitted(policy: Policy, train: ReadDebates, options: Partial<PolicyOptions> = {}): FittedPolicy {
  const found = policy.fit(train, { seed: 7, ...options })
  if (found.kind === 'unfit') throw new Error(`${policy.name}: ${found.reason}`)
  return found
}

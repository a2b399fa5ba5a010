import { expect, test } from 'vitest'
import { startWarnings } from '../../src/cli/text/serve-text.ts'
import type { PolicyEvent } from '../../src/store/decisions/policy-events.ts'

const CERTIFICATE = { id: 'c1', promise: 'beta 0.1', declared: null }
const SUSPENDED: PolicyEvent = {
  id: 'e1',
  sequence: 3,
  kind: 'suspend',
  cause: 'drift',
  certificateId: 'c1',
  by: null,
  note: 'beliefs drift',
  at: 0,
  arrival: 0,
}

test('a start says that the policy is suspended, or in shadow mode, and who can end it', () => {
  const warning = (suspendedAtStart: PolicyEvent) =>
    startWarnings({ certificateAtStart: CERTIFICATE, suspendedAtStart })
  expect(warning(SUSPENDED)).toBe(
    'quorate: warning: The policy is suspended, so every question goes to a person: beliefs drift\n' +
      '  An admin can release the policy on the overview of the app.\n',
  )
  expect(warning({ ...SUSPENDED, cause: 'shadow', by: 'eve', note: 'first week' })).toBe(
    'quorate: warning: The policy is in shadow mode, so every question goes to a person: first week\n' +
      '  An admin can end shadow mode on the overview of the app.\n',
  )
  expect(warning({ ...SUSPENDED, note: null })).toContain('goes to a person\n')
})

test('a start says nothing about a policy that acts, or that has no certificate', () => {
  expect(startWarnings({ certificateAtStart: CERTIFICATE, suspendedAtStart: null })).toBe('')
  expect(startWarnings({ certificateAtStart: null, suspendedAtStart: SUSPENDED })).toBe('')
})

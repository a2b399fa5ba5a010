import { expect, test } from 'vitest'
import { sampledText, verdictKind } from '../../../src/pages/overview/verdict.ts'
import { MONITOR } from '../../fixture/monitor-fixture.ts'

const { spotChecks, policy } = MONITOR

function counted(of: number, lower: number, upper: number) {
  const wrong = { count: 0, of, share: 0, lower: 0, upper: 1 }
  return { ...spotChecks, wrong, uniform: { rate: (lower + upper) / 2, lower, upper, level: 0.95 } }
}

test('the verdict uses the bounds that are valid at every moment, with beta 0.1', () => {
  expect(verdictKind(MONITOR)).toBe('within')
  expect(verdictKind({ ...MONITOR, spotChecks: counted(200, 0.02, 0.12) })).toBe('open')
  expect(verdictKind({ ...MONITOR, spotChecks: counted(200, 0.11, 0.3) })).toBe('over')
})

test('below 30 counted spot checks there is no verdict, however good or bad they are', () => {
  for (const [lower, upper] of [
    [0, 0.05],
    [0.2, 0.6],
  ] as const) {
    expect(verdictKind({ ...MONITOR, spotChecks: counted(29, lower, upper) })).toBe('few')
  }
  expect(verdictKind({ ...MONITOR, spotChecks: { ...spotChecks, wrong: null, uniform: null } })).toBe('few')
})

test('a policy that does not act has that as its verdict', () => {
  expect(verdictKind({ ...MONITOR, policy: { ...policy, state: 'none' }, certificate: null })).toBe('none')
  const suspended = { ...policy, state: 'suspended', cause: 'fingerprint' } as const
  expect(verdictKind({ ...MONITOR, policy: suspended })).toBe('suspended')
  const monitor = { ...policy, state: 'suspended', cause: 'monitor' } as const
  expect(verdictKind({ ...MONITOR, policy: monitor, spotChecks: counted(200, 0.11, 0.3) })).toBe('over')
  const { certificate } = MONITOR
  expect(verdictKind({ ...MONITOR, certificate: certificate && { ...certificate, canAct: false } })).toBe('idle')
  expect(verdictKind({ ...MONITOR, spotChecks: { ...spotChecks, rate: 0, sampled: 0 } })).toBe('unsampled')
})

test('the verdict does not claim that no spot check was chosen while questions are hidden', () => {
  const none = { ...spotChecks, sampled: 0, wrong: null }
  expect(sampledText(none, 0)).toBe('None was chosen in this period yet.')
  expect(sampledText(none, 3)).toBe(
    'None was chosen in this period before the oldest question that waits in Review, where these figures end.',
  )
})

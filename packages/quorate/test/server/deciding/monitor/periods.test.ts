import { describe, expect, test } from 'vitest'
import { periodPlaces, suspensionsOf } from '../../../../src/server/deciding/monitor/periods.ts'
import type { PolicyEvent } from '../../../../src/store/decisions/policy-events.ts'

function event(
  kind: PolicyEvent['kind'],
  sequence: number,
  { certificateId = 'a', arrival = 0 }: { readonly certificateId?: string; readonly arrival?: number } = {},
): PolicyEvent {
  const cause = kind === 'suspend' ? 'admin' : null
  const about = { id: `e${sequence}`, sequence, kind, cause, by: 'mira', note: `note ${sequence}` } as const
  return { ...about, certificateId, at: sequence * 1000, arrival }
}

function shortOf(events: readonly PolicyEvent[]) {
  return periodPlaces(events).map(({ certificateId, since, until, start, end }) => [
    certificateId,
    since,
    until,
    start.sequence,
    end?.sequence ?? null,
  ])
}

describe('the periods of a policy', () => {
  test('begin with an activation or a release and end with a suspension or another certificate', () => {
    const events = [
      event('activate', 1),
      event('suspend', 2, { arrival: 40 }),
      event('release', 3, { arrival: 55 }),
      event('activate', 4, { certificateId: 'b', arrival: 0 }),
    ]
    expect(shortOf(events)).toEqual([
      ['a', 0, 40, 1, 2],
      ['a', 55, null, 3, 4],
      ['b', 0, null, 4, null],
    ])
  })

  test('include what a certificate decided before its activation, as the monitor does', () => {
    expect(shortOf([event('activate', 1, { arrival: 200 })])).toEqual([['a', 0, null, 1, null]])
  })

  test('share no arrival if a certificate is activated again', () => {
    const events = [
      event('activate', 1),
      event('activate', 2, { certificateId: 'b' }),
      event('activate', 3, { arrival: 70 }),
    ]
    expect(shortOf(events)).toEqual([
      ['a', 0, 70, 1, 2],
      ['b', 0, null, 2, 3],
      ['a', 70, null, 3, null],
    ])
  })

  test('do not begin while the policy is suspended, and a second suspension ends nothing', () => {
    const events = [
      event('activate', 1),
      event('suspend', 2, { arrival: 10 }),
      event('suspend', 3, { arrival: 12 }),
      event('activate', 4, { certificateId: 'b' }),
      event('release', 5, { certificateId: 'b', arrival: 3 }),
    ]
    expect(shortOf(events)).toEqual([
      ['a', 0, 10, 1, 2],
      ['b', 3, null, 5, null],
    ])
  })
})

test('a suspension lasts from its first event to the release', () => {
  const events = [
    event('activate', 1),
    event('suspend', 2),
    event('suspend', 3),
    event('release', 4),
    event('suspend', 5),
  ]
  expect(suspensionsOf(events).map(({ from, to }) => [from, to])).toEqual([
    [2000, 4000],
    [5000, null],
  ])
})

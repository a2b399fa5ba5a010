import { type AgentTurn, type Debate, readDebates } from '@quorate/certificate'
import { expect, test } from 'vitest'
import {
  confidentAccuracy,
  lastErrors,
  measureAggregates,
  pairSharesOf,
  roundsOfDebates,
} from '../../src/twins/aggregates.ts'

const { debates: read } = readDebates([
  // Right at once and unanimous from round 2, confident in round 2 only.
  debate('one', 'x', [
    [said('A', 0.8), said('A', 0.8), said('B', 0.5)],
    [said('A', 0.9), said('A', 0.9), said('A', 0.9)],
  ]),
  // Right in round 1 and talked out of it without agreeing.
  debate('two', 'y', [
    [said('A', 0.9), said('A', 0.9), said('B', 0.6)],
    [said('B', 0.9), said('A', 0.6), said('B', 0.9)],
  ]),
  // Unanimous and wrong from the start.
  debate('three', 'y', [
    [said('C', 0.8), said('C', 0.8), said('C', 0.8)],
    [said('C', 0.8), said('C', 0.8), said('C', 0.8)],
  ]),
  // An abstention is no vote, so this debate is never unanimous.
  debate('four', null, [
    [said('B', 0.8), said('B', 0.8), said(null)],
    [said('A', 0.8), said('A', 0.8), said(null)],
  ]),
])

const debates = roundsOfDebates(read)

test('aggregates count what the published table counts', () => {
  expect(measureAggregates(debates)).toEqual({
    firstAccuracy: 2 / 4,
    lastAccuracy: 2 / 4,
    everUnanimous: 2 / 4,
    unanimousRound: 1.5,
    everConfident: 1 / 4,
    everRight: 3 / 4,
    confidentRound: 2,
  })
})

test('the error of the last round is counted by group', () => {
  expect(lastErrors(debates)).toEqual(
    new Map([
      ['x', 0],
      ['y', 1],
      [null, 0],
    ]),
  )
})

test('the accuracy of a threshold on p1 is that of the panels it acts on, at the first round that reaches it', () => {
  // Most p1: .90, .80, .63 and .67 or so. The surest is right; the two surest are right and, in round 1, wrong.
  expect(confidentAccuracy(debates, { act: 0.25 })).toBe(1)
  expect(confidentAccuracy(debates, { act: 1 })).toBe(
    debates.map(({ rounds }) => rounds[0]!.right).reduce((sum, right) => sum + right, 0) / debates.length,
  )
})

test('pairs of states are counted by the distance of their ranks', () => {
  const at = (p1: number) => ({ group: null, rounds: [{ p1, margin: p1, right: 1, isUnanimous: true }] })
  // Ranks .25, .5, .75 and 1 in both coordinates: three pairs at .35, two at .71, one at 1.06.
  const spread = [0.2, 0.4, 0.6, 0.8].map(at)
  expect(pairSharesOf(spread, { edges: [0.4, 0.8, 2] })).toEqual([3 / 6, 2 / 6, 1 / 6])
  expect(pairSharesOf([at(0.5), at(0.5)], { edges: [0.1, 1] })).toEqual([1, 0])
})

function debate(id: string, group: string | null, rounds: readonly (readonly Omit<AgentTurn, 'agent'>[])[]): Debate {
  const named = rounds.map((round) => round.map((turn, agent) => ({ agent: `agent-${agent + 1}`, ...turn })))
  return { id, group, options: ['A', 'B', 'C'], gold: 'A', rounds: named }
}

function said(answer: string | null, verbal?: number): Omit<AgentTurn, 'agent'> {
  return verbal === undefined ? { answer } : { answer, conf: { verbal } }
}

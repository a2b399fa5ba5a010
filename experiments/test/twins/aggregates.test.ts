import { type AgentTurn, type Debate, readPanels } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { lastErrors, measureAggregates } from '../../src/twins/aggregates.ts'

const { panels } = readPanels([
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
  // An abstention is no vote: never unanimous.
  debate('four', null, [
    [said('B', 0.8), said('B', 0.8), said(null)],
    [said('A', 0.8), said('A', 0.8), said(null)],
  ]),
])

test('aggregates count what the published table counts', () => {
  expect(measureAggregates(panels)).toEqual({
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
  expect(lastErrors(panels)).toEqual(
    new Map([
      ['x', 0],
      ['y', 1],
      [null, 0],
    ]),
  )
})

function debate(id: string, group: string | null, rounds: readonly (readonly Omit<AgentTurn, 'agent'>[])[]): Debate {
  const named = rounds.map((round) => round.map((turn, agent) => ({ agent: `agent-${agent + 1}`, ...turn })))
  return { id, group, options: ['A', 'B', 'C'], gold: 'A', rounds: named }
}

function said(answer: string | null, verbal?: number): Omit<AgentTurn, 'agent'> {
  return verbal === undefined ? { answer } : { answer, conf: { verbal } }
}

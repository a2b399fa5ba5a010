import type { Step } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { choosePlays } from '../../src/demo/choose-plays.ts'
import type { DemoDecision } from '../../src/demo/decided.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'

const [debate] = simulatePanel({ seed: 1, count: 1 })

function decided(decision: DemoDecision['decision']): DemoDecision {
  if (debate === undefined) throw new Error('no debate was sampled')
  return { debate: { ...debate, rounds: [] }, decision, isSpotCheck: false }
}

const step = (round: number, answer: string, lower: number | null): Step =>
  lower === null
    ? { round, answer, threshold: 0.9, lower, reason: 'not-nominated' }
    : { round, answer, threshold: 0.9, lower, neighbours: 9, successes: 9, mean: 1, envelope: 0, slack: 1 - lower }
const act = (...path: Step[]) => decided({ kind: 'act', round: path.length, answer: 'A', bound: 0.95, path })

const atOnce = act(step(1, 'A', 0.95))
const later = act(step(1, 'A', 0.5), step(2, 'A', 0.95))
const flipped = act(step(1, 'B', 0.5), step(2, 'A', 0.95))
const unseen = decided({ kind: 'defer', reason: 'bound-low', path: [step(1, 'A', null)] })
const refused = decided({ kind: 'defer', reason: 'bound-low', path: [step(1, 'A', 0.5)] })

test('the plays are one that acts in round 1, one that changes its mind first, and one that is compared and deferred', () => {
  const plays = choosePlays([unseen, later, flipped, refused, atOnce])
  expect(plays.map(({ found }) => found)).toEqual([atOnce, flipped, refused])
})

test('the next best kind replaces a missing one, and nothing if there is none', () => {
  expect(choosePlays([unseen, later])).toEqual([
    { title: 'acts in round 1', found: undefined },
    { title: 'acts later', found: later },
    { title: 'defers', found: unseen },
  ])
})

test('if nothing acts later, a deferred change of mind is shown, and another deferral after it', () => {
  const wavering = decided({ kind: 'defer', reason: 'bound-low', path: [step(1, 'A', 0.5), step(2, 'B', 0.5)] })
  expect(choosePlays([wavering, refused, atOnce])).toEqual([
    { title: 'acts in round 1', found: atOnce },
    { title: 'changes its mind and is deferred (none acts later here)', found: wavering },
    { title: 'defers', found: refused },
  ])
})

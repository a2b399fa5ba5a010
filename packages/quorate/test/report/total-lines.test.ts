import { calibrate, clopperPearsonLower, seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { totalLines } from '../../src/report/total-lines.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'

test('the printed lower limit of a class is never above the one that was computed', () => {
  const random = seededRandom(2)
  const debates = Array.from({ length: 600 }, (_, row) => {
    const answer = random() < 0.95 ? 'A' : 'B'
    const turns = ['ada', 'bob', 'cleo'].map((agent) => ({ agent, answer: random() < 0.9 ? answer : 'C' }))
    return { id: `question-${row}`, options: ['A', 'B', 'C'], gold: 'A', rounds: [turns] }
  })
  for (let count = 400; count <= 600; count += 20) {
    const budget = { beta: 0.2, delta: 0.05, epsilon: 0 }
    const certificate = calibrate(debates.slice(0, count), { profile: 'total', budget })
    const outcome = certificate.outcomeOf(null)
    const acting = (outcome?.classes ?? []).filter(({ state }) => state === 'acts')
    const printed = totalLines(certificate).flatMap(([word, text]) => (word === 'Class' ? [text] : []))
    expect(printed.length).toBe(acting.length)
    expect(printed.length).toBeGreaterThan(0)
    for (const [at, { right, rows }] of acting.entries()) {
      const limit = Number(/at least (0\.\d{3})$/.exec(printed[at] ?? '')?.[1])
      const computed = clopperPearsonLower(right, rows, outcome?.floorLevel ?? 0)
      expect(limit).toBeLessThanOrEqual(computed + 1e-9)
      expect(limit).toBeGreaterThan(computed - 0.001 - 1e-9)
    }
  }
})

test('the line about a grading model says what was counted, and of which questions', () => {
  const debates = simulatePanel({ seed: 3, count: 300 })
  const certificate = calibrate(debates, { profile: 'total', budget: { beta: 0.2, delta: 0.05, epsilon: 0 } })
  const lineOf = (group: string | null) => {
    const outcomes = new Map([...certificate.outcomes.values()].map((each) => [group, { ...each, judge }] as const))
    return totalLines({ ...certificate, outcomes }).find(([word]) => word.startsWith('Judge'))
  }
  const judge = { audited: 40, misjudged: 3, upper: 0.1831 }
  const counted =
    'some policy acts on an answer that the model calls right and a person does not in 3 of 40 checked debates, at most 18.4 % of all questions'
  expect(lineOf(null)).toEqual(['Judge', counted])
  expect(lineOf('shop')).toEqual(['Judge (shop)', `${counted} of this group`])
})

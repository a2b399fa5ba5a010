import { expect, test } from 'vitest'
import { majorityAnswer } from '../../src/demo/majority.ts'

const says = (answer: string | null, verbal = 0.5) => ({ agent: 'ada', answer, conf: { verbal } })

test.each([
  ['the answer of most', [says('A'), says('B', 1), says('A')], 'A'],
  ['an abstention as no vote', [says(null), says('B'), says(null)], 'B'],
  ['the surer one of two with equal counts', [says('A', 0.6), says('B', 0.9), says('C', 0.7)], 'B'],
  ['nothing when nobody answers', [says(null), says(null)], undefined],
])('the majority takes %s', (_, turns, answer) => {
  expect(majorityAnswer(turns)).toBe(answer)
})

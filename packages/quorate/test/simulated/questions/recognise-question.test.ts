import { seededRandom } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { FAMILIES, type Family } from '../../../src/simulated/questions/draw-question.ts'
import { recogniseQuestion } from '../../../src/simulated/questions/recognise-question.ts'

describe.each(Object.keys(FAMILIES) as Family[])('questions on %s', (family) => {
  test.each(FAMILIES[family].map((template) => [template.name, template] as const))(
    '%s: the answer and the lure are found again from the words',
    (_, template) => {
      const random = seededRandom(20260102)
      for (let draw = 0; draw < 300; draw++) {
        const { question, right, lure } = template(random)
        const found = recogniseQuestion(question)
        expect({ question, family: found?.family, right: found?.question.right, lure: found?.question.lure }).toEqual({
          question,
          family,
          right,
          lure,
        })
      }
    },
  )
})

test.each([
  '',
  'What is the capital of France?',
  'Amir packs 12 boxes of 20 pencils each and then takes 5 pencils out again. How many apples are left in the boxes?',
  'A voyage runs from 31 February 2022 to 3 Marchember 2022, both days included. How many days does it last?',
  'Four friends enter a race. Amir finished ahead of Amir. Who finished first?',
  'A straight pier is 10 metres long. Its flags stand 0 metres apart, one at each end. How many flags are there?',
  'Amir sells the tickets numbered 1 to 9e999, both included. How many tickets is that?',
  '7 sheep are joined by direct roads, one between every two of them. How many roads are there?',
])('a question that was not drawn here is not recognised: %s', (question) => {
  expect(recogniseQuestion(question)).toBeNull()
})

import { expect, test } from 'vitest'
import { argumentText } from '../../src/parts/argument-text.ts'

test('a reply in the form of our prompts is reduced to its argument', () => {
  const reply = '<reasoning>Seven\nand two.</reasoning>\n<answer>B</answer>\n<confidence>90</confidence>\n'
  expect(argumentText(reply)).toBe('Seven\nand two.')
  expect(argumentText('<reasoning>Seven.</reasoning><answer>B</answer>')).toBe('Seven.')
  const coded =
    '<reasoning>Seven.</reasoning>\n<answer-1f2e3d4c>B</answer-1f2e3d4c>\n<confidence-1f2e3d4c>90</confidence-1f2e3d4c>'
  expect(argumentText(coded)).toBe('Seven.')
})

test('a reply in JSON is reduced to its reasoning', () => {
  expect(argumentText('{"reasoning":"Seven\\nand two.","answer":"B","confidence":90}')).toBe('Seven\nand two.')
})

test.each([
  'Seven and two.',
  'Aside. <reasoning>Seven.</reasoning><answer>B</answer>',
  '<reasoning>Seven.</reasoning><answer>B</answer> And more.',
  '<reasoning>Seven.</reasoning> then <reasoning>eight.</reasoning><answer>B</answer>',
  '<reasoning> </reasoning><answer>B</answer>',
  '<reasoning>never closed',
  '{"reasoning":"Seven.","answer":"B","note":"hidden"}',
  '{"reasoning":"Sev',
])('nothing of %j is hidden', (reply) => {
  expect(argumentText(reply)).toBe(reply)
})

import { expect, test } from 'vitest'
import { ELICITATIONS } from '../../src/debate/elicit/elicitations.ts'
import { READER_VERSION } from '../../src/debate/reader-version.ts'
import { PRICE_TABLE } from '../../src/model/price-table.ts'
import { hasStructuredOutput } from '../../src/model/providers.ts'
import { CAPITALS } from './corpus/case.ts'

test('the requested forms belong to this version of the reader, which every change of a form must raise', () => {
  const forms = Object.entries(ELICITATIONS).flatMap(([name, elicitation]) =>
    [false, true].map((isStructured) => [name, elicitation.form({ ...CAPITALS, isStructured })]),
  )
  expect(READER_VERSION).toBe(6)
  expect(forms).toMatchInlineSnapshot(`
    [
      [
        "vote",
        "Think step by step, then return: <reasoning>...</reasoning><answer-c0de1234>A|B|C|D</answer-c0de1234>
    Copy the code c0de1234 as it stands: only marks that carry it are read as yours.",
      ],
      [
        "vote",
        "Think step by step, then return a JSON object: {"reasoning": "...", "answer": "A|B|C|D"}",
      ],
      [
        "stated",
        "Think step by step, then return: <reasoning>...</reasoning><answer-c0de1234>A|B|C|D</answer-c0de1234><confidence-c0de1234>0-100</confidence-c0de1234>
    Copy the code c0de1234 as it stands: only marks that carry it are read as yours.
    The confidence is the probability, in percent, that your answer is right.",
      ],
      [
        "stated",
        "Think step by step, then return a JSON object: {"reasoning": "...", "answer": "A|B|C|D", "confidence": 0-100}
    The confidence is the probability, in percent, that your answer is right.",
      ],
      [
        "samples",
        "Think step by step, then return: <reasoning>...</reasoning><answer-c0de1234>A|B|C|D</answer-c0de1234>
    Copy the code c0de1234 as it stands: only marks that carry it are read as yours.",
      ],
      [
        "samples",
        "Think step by step, then return a JSON object: {"reasoning": "...", "answer": "A|B|C|D"}",
      ],
      [
        "logprobs",
        "Return: one of A|B|C|D, alone, with no other word or mark.",
      ],
      [
        "logprobs",
        "Return: one of A|B|C|D, alone, with no other word or mark.",
      ],
    ]
  `)
})

test('so do the models that are asked for JSON', () => {
  expect(READER_VERSION).toBe(6)
  expect(Object.keys(PRICE_TABLE).filter(hasStructuredOutput).sort()).toMatchInlineSnapshot(`
    [
      "anthropic/claude-haiku-4-5",
      "anthropic/claude-opus-4-1",
      "anthropic/claude-opus-4-5",
      "anthropic/claude-opus-4-6",
      "anthropic/claude-opus-5",
      "anthropic/claude-opus-5-5",
      "anthropic/claude-sonnet-4-5",
      "anthropic/claude-sonnet-4-6",
      "anthropic/claude-sonnet-5",
      "anthropic/claude-sonnet-5-5",
      "openai/gpt-4.1",
      "openai/gpt-4.1-mini",
      "openai/gpt-4.1-nano",
      "openai/gpt-4o",
      "openai/gpt-4o-mini",
      "openai/gpt-5",
      "openai/gpt-5-mini",
      "openai/gpt-5-nano",
      "openai/gpt-5.4",
      "openai/gpt-5.4-mini",
      "openai/gpt-5.5",
      "openai/o3",
      "openai/o4-mini",
    ]
  `)
  for (const id of ['openai/gpt-3.5-turbo', 'openai/gpt-4', 'anthropic/claude-3-5-haiku-latest', 'openai/o1-mini']) {
    expect(hasStructuredOutput(id), id).toBe(false)
  }
  expect(hasStructuredOutput('replay/openai/gpt-4.1')).toBe(true)
})

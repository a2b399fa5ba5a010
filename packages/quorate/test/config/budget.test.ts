import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'

const LABELS = 'answers: { kind: labels, labels: { approve: pays out, decline: does not } }\n'

function load(budget: string, more = '') {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-budget-'))
  const text = `panel: { agents: [{ name: ada, model: simulated/ada }] }\nbudget: ${budget}\n${more}`
  writeFileSync(join(folder, 'quorate.config.yaml'), text)
  return loadConfig({ folder, env: {} })
}

describe('the budget of a config', () => {
  test('may be a share of the questions acted on', async () => {
    const { config } = await load('{ wrongOfActed: 0.05 }')
    expect(config.budget).toMatchObject({ beta: 0.05, delta: 0.05, total: { kind: 'selective', delta: 0.05 } })
  })

  test('may give answers their own budgets', async () => {
    const { config } = await load('{ beta: 0.05, answers: { approve: 0.01 } }', LABELS)
    expect(config.budget.total).toEqual({ kind: 'pac', delta: 0.05, answers: { approve: 0.01 } })
  })

  test.each([
    [
      '{ beta: 0.1, promise: selective, relative: 1.5 }',
      '',
      /budget\.relative must be left out beside promise: selective/,
    ],
    ['{ beta: 0.1, relative: much }', '', /budget\.relative must be selected, or a number above 0, such as 1\.5/],
    ['{ delta: 0.05 }', '', /budget\.beta must be a number above 0 and below 1, such as 0\.10, got nothing/],
    ['{ beta: 0.1, wrongOfActed: 0.05 }', '', /budget\.beta must be left out beside wrongOfActed/],
    ['{ wrongOfActed: 0.05, promise: pac }', '', /budget\.promise must be left out beside wrongOfActed/],
    ['{ wrongOfActed: 0.05, floor: 0.8 }', '', /budget\.floor must be left out beside promise: selective/],
    [
      '{ wrongOfActed: 0.05, answers: { approve: 0.01 } }',
      '',
      /budget\.answers must be left out, or used with promise: pac/,
    ],
    ['{ beta: 0.05, answers: { approve: 2 } }', '', /budget\.answers\.approve must be a number above 0 and below 1/],
    [
      '{ beta: 0.05, answers: { aprove: 0.01 } }',
      LABELS,
      /budget\.answers\.aprove must be a label of answers\.labels, got "aprove"/,
    ],
    [
      '{ beta: 0.05, answers: { a: 0.01 } }',
      'certificate: { profile: cells }\n',
      /budget\.answers must be left out, or used with certificate/,
    ],
  ])('%s is refused', async (budget, more, message) => {
    await expect(load(budget, more)).rejects.toThrow(message)
  })
})

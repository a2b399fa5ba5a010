import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { renderPrompt } from '../../src/debate/render-prompt.ts'
import { LIMITS } from '../../src/record/limits.ts'
import { type Answers, answerOptions } from '../../src/record/task.ts'
import { panelFingerprint } from '../../src/run/calibration/panel-fingerprint.ts'

const BASE = `
panel: { agents: [{ name: ada, model: simulated/ada }] }
budget: { beta: 0.1 }
`
const LABELS = `
answers:
  kind: labels
  labels:
    refund: wants money back
    "返金 希望": 日本語の返金依頼
    other: none of these
`

function load(text: string, files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-task-'))
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries({ ...files, 'quorate.config.yaml': text })) {
    writeFileSync(join(folder, name), content)
  }
  return loadConfig({ folder, env: {} })
}

describe('a config with a task', () => {
  test('has its instruction in the prompts and the labels with their descriptions', async () => {
    const { config } = await load(
      `task: { instruction: "Choose {question} as the customer wants.", guideline: g.md }\nquestions: { text: body }\n${LABELS}${BASE}`,
      { 'g.md': '\ufeffRefund wins over bug.\r\n' },
    )
    expect(config.guideline).toBe('Refund wins over bug.')
    expect(config.questions).toEqual({ text: 'body' })
    const { answers, prompts } = config.panel
    if (answers === undefined) throw new Error('expected answers')
    const options = answerOptions(answers, { seed: config.seed, questionId: 't1' })
    const question = { id: 't1', question: 'Where is my money?', options, gold: null, group: null }
    const [message] = renderPrompt(
      { question, templates: prompts, agent: 'ada', round: 1, responses: null },
      { code: 'c0de', text: 'FORM' },
    )
    expect(message?.content).toContain('\nChoose {question} as the customer wants.\n<question>Where is my money?')
    expect(message?.content).toContain('refund: wants money back')
    expect(message?.content).toContain('返金 希望: 日本語の返金依頼')
  })

  test('without an instruction leaves no blank line in the prompt', async () => {
    const { config } = await load(BASE)
    const question = { id: 'q', question: 'Q', options: [{ name: 'A', text: 'A' }], gold: null, group: null }
    const context = { question, templates: config.panel.prompts, agent: 'ada', round: 1, responses: null }
    const [message] = renderPrompt(context, { code: 'c', text: 'F' })
    expect(message?.content).toContain('exactly one option.\n<question>Q')
  })

  test('refuses an own template that would leave the instruction out', async () => {
    const text = `task: { instruction: Choose. }\npanel: { prompts: { firstRound: mine.txt }, agents: [{ name: ada, model: simulated/ada }] }\nbudget: { beta: 0.1 }\n`
    await expect(load(text, { 'mine.txt': '{question} {options} {form}' })).rejects.toThrow(
      /mine\.txt: expected the placeholder \{instruction\}, because the config has task\.instruction/u,
    )
  })

  test('is another panel for a certificate if the instruction or a label differs', async () => {
    const fingerprint = async (text: string) => panelFingerprint((await load(`${text}${BASE}`)).config.panel)
    const one = await fingerprint(`task: { instruction: Choose. }\n${LABELS}`)
    const other = await fingerprint(`task: { instruction: Choose well. }\n${LABELS.replace('none of', 'nothing of')}`)
    expect(other.prompts).not.toBe(one.prompts)
    expect(other.settings?.['answers']).not.toBe(one.settings?.['answers'])
  })
})

const labelsOf = (answers: Answers | undefined) => (answers?.kind === 'labels' ? answers.labels : {})

describe('labels', () => {
  const many = (count: number) =>
    `answers: { kind: labels, labels: { ${Array.from({ length: count }, (_, at) => `l${at}: text`).join(', ')} } }\n${BASE}`

  test('may be as many as the limit, and no more', async () => {
    expect(Object.keys(labelsOf((await load(many(LIMITS.options))).config.panel.answers))).toHaveLength(500)
    await expect(load(many(LIMITS.options + 1))).rejects.toThrow(/answers\.labels must be a map of 2 to 500 labels/u)
    await expect(load(many(1))).rejects.toThrow(/answers\.labels must be a map of 2 to 500 labels/u)
  })

  test('of an unknown kind are refused with the kinds there are', async () => {
    await expect(load(`answers: { kind: lables, labels: { a: b, c: d } }\n${BASE}`)).rejects.toThrow(
      /quorate\.config\.yaml:1:18: answers\.kind must be one of the kinds labels, number, text, math, json, judged, got "lables"/u,
    )
  })

  test('are shown in an order that follows from the seed and the id of the question', async () => {
    const { config } = await load(`${LABELS}${BASE}`)
    const { answers } = config.panel
    if (answers === undefined) throw new Error('expected answers')
    const order = (questionId: string, seed = 7) =>
      answerOptions(answers, { seed, questionId })
        .map(({ name }) => name)
        .join('|')
    expect(order('t1')).toBe(order('t1'))
    const orders = Array.from({ length: 600 }, (_, at) => order(`t${at}`))
    expect(new Set(orders).size).toBe(6)
    const first = orders.filter((names) => names.startsWith('other')).length
    expect(first).toBeGreaterThan(150)
    expect(first).toBeLessThan(250)
    expect(orders.some((names, at) => names !== order(`t${at}`, 8))).toBe(true)
  })
})

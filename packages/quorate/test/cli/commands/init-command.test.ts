import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chooseStarter } from '../../../src/cli/commands/init-command.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { PRESET_KEYS, PRESETS } from '../../../src/config/starter-files.ts'
import { promptCode, renderPrompt } from '../../../src/debate/render-prompt.ts'
import { createModel } from '../../../src/model/create-model.ts'
import { readQuestions } from '../../../src/questions/read-questions.ts'
import type { Question } from '../../../src/record/question.ts'
import { folderWith } from '../../config/config-folder.ts'
import { runMain } from '../run-main.ts'

/** The preset `labels` has rows of a CSV file instead of questions, and a separate test. */
const PANELS = PRESETS.filter((preset) => preset !== 'labels')

describe('init', () => {
  test.each(PANELS)('writes a %s config that is valid, and ten labelled questions', async (preset) => {
    const folder = join(folderWith({}), 'new')
    const { status, stdout, stderr } = await runMain(['init', folder, '--preset', preset])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('quorate validate')
    for (const name of PRESET_KEYS[preset]) expect(stdout).toContain(name)
    expect(readdirSync(folder).sort()).toEqual(['questions.jsonl', 'quorate.config.yaml'])
    const { config, notes } = await loadConfig({ folder, env: {} })
    expect(notes).toEqual([])
    expect(config.panel.agents).toHaveLength(3)
    expect(config.profile).toBe(preset === 'paper' ? 'paper' : 'total')
    const questions = await questionsOf(folder)
    expect(questions).toHaveLength(10)
    expect(questions.every(({ gold }) => gold !== null)).toBe(true)
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(readConfig(folder)) ?? []
    expect(existsSync(join(folder, schema)), schema).toBe(true)
  })

  test.each(PANELS)('every model of %s has a price and finds its key, and a run is estimated', async (preset) => {
    const folder = folderWith({})
    expect((await runMain(['init', folder, '--preset', preset])).status).toBe(0)
    const env = Object.fromEntries(PRESET_KEYS[preset].map((name) => [name, 'made-up-for-a-test']))
    const validated = await runMain(['validate', '--json'], { cwd: folder, env })
    expect(validated.status, validated.stdout + validated.stderr).toBe(0)
    const estimated = await runMain(['debate', 'questions.jsonl', '--dry-run'], { cwd: folder, env })
    expect(estimated.status, estimated.stderr).toBe(0)
    expect(estimated.stdout).not.toMatch(/unknown price|unpriced/)
  })

  test('its simulated agents answer its questions', async () => {
    const folder = folderWith({})
    expect((await runMain(['init', folder, '--yes'])).status).toBe(0)
    const { config } = await loadConfig({ folder, env: {} })
    const { prompts, agents } = config.panel
    const model = createModel(agents[0]?.model ?? '', { env: {}, now: () => 0, seed: config.seed })
    for (const question of await questionsOf(folder)) {
      const context = { question, templates: prompts, agent: 'ada', round: 1, responses: null }
      const messages = renderPrompt(context, { code: promptCode(context), text: '' })
      const settings = { temperature: 0.7, maxOutputTokens: 2048, seed: 1, topLogprobs: null, schema: null }
      const { text } = await model.call({ messages, settings, signal: new AbortController().signal })
      expect(text).not.toBe('')
    }
  })

  test('leaves a budget to act with, however small beta is', async () => {
    const folder = folderWith({})
    expect((await runMain(['init', folder, '--beta', '0.02'])).status).toBe(0)
    const { budget } = (await loadConfig({ folder, env: {} })).config
    expect(budget).toEqual({
      beta: 0.02,
      delta: 0.05,
      epsilon: 0,
      total: { kind: 'pac', delta: 0.05, floor: 0.96 },
    })
    const { status, stdout } = await runMain(['validate', '--config', join(folder, 'quorate.config.yaml')])
    expect(status).toBe(0)
    expect(stdout.replace(/\s+/g, ' ')).toContain('beta 0.020 (of all questions wrong, with confidence), floor 0.960')
  })

  test.each(['quorate.config.yaml', 'quorate.config.json', 'questions.jsonl'])('never overwrites %s', async (name) => {
    const folder = folderWith({ [name]: 'mine' })
    const { status, stdout, stderr } = await runMain(['init', folder])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`${name} already exists`)
    expect(readdirSync(folder)).toEqual([name])
    expect(readFileSync(join(folder, name), 'utf8')).toBe('mine')
  })

  test('reports a folder that is a file, and lists the presets', async () => {
    const folder = folderWith({})
    writeFileSync(join(folder, 'file'), '')
    expect((await runMain(['init', join(folder, 'file')])).stderr).toContain('must be a folder: it is a file')
    const wrong = await runMain(['init', folder, '--preset', 'papr'])
    expect(wrong.status).toBe(2)
    expect(wrong.stderr).toContain(
      '--preset must be one of simulated, local, openai, anthropic, paper, labels, got "papr". Did you mean paper?',
    )
    expect(existsSync(join(folder, 'questions.jsonl'))).toBe(false)
  })
})

describe('choosing on a terminal', () => {
  const person = (answers: readonly (string | null)[]) => {
    const left = [...answers]
    return async (_question: string, fallback: string) => {
      const answer = left.shift()
      return answer === '' ? fallback : (answer ?? null)
    }
  }

  test('names every preset', async () => {
    const asked: string[] = []
    await chooseStarter(new Map(), async (question) => {
      asked.push(question)
      return null
    })
    for (const preset of PRESETS) expect(asked[0]).toContain(preset)
  })

  test('asks only for settings without a flag', async () => {
    expect(await chooseStarter(new Map([['preset', 'paper']]), person(['0.05']))).toEqual({
      preset: 'paper',
      beta: 0.05,
    })
    expect(await chooseStarter(new Map(), person(['', '']))).toEqual({ preset: 'simulated', beta: 0.1 })
    expect(await chooseStarter(new Map(), null)).toEqual({ preset: 'simulated', beta: 0.1 })
  })

  test('asks again after an invalid answer', async () => {
    expect(await chooseStarter(new Map(), person(['real', 'paper', '7', '0.2']))).toEqual({
      preset: 'paper',
      beta: 0.2,
    })
  })

  test('Ctrl-C ends it without a choice', async () => {
    expect(await chooseStarter(new Map(), person(['paper', null]))).toBeNull()
  })
})

function readConfig(folder: string): string {
  return readFileSync(join(folder, 'quorate.config.yaml'), 'utf8')
}

async function questionsOf(folder: string): Promise<Question[]> {
  const questions: Question[] = []
  for await (const question of readQuestions(join(folder, 'questions.jsonl'))) questions.push(question)
  return questions
}

test('init --preset labels writes a config of labels that reads its tickets, and --prompts explains every placeholder', async () => {
  const folder = join(folderWith({}), 'new')
  const { status, stdout, stderr } = await runMain(['init', folder, '--preset', 'labels', '--prompts', '--yes'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('run tickets.csv --out decided.csv')
  expect(readdirSync(folder).sort()).toEqual([
    ...['first-round.txt', 'later-round.txt', 'prompts.md', 'quorate.config.yaml', 'reminder.txt', 'tickets.csv'],
  ])
  const { config } = await loadConfig({ folder, env: {} })
  expect(config.panel.answers).toMatchObject({ kind: 'labels', shuffle: true })
  expect(config.panel.prompts.firstRound).toContain('{instruction}')
  const { questionFormat } = await import('../../../src/config/resolve-config.ts')
  const questions: Question[] = []
  for await (const question of readQuestions(join(folder, 'tickets.csv'), questionFormat(config)))
    questions.push(question)
  expect(questions).toHaveLength(500)
  expect(questions.filter(({ gold }) => gold === null).map(({ id }) => id)[0]).toBe('T-301')
  const places = readFileSync(join(folder, 'prompts.md'), 'utf8')
  for (const name of ['first-round.txt', 'later-round.txt', 'reminder.txt']) {
    for (const [place] of readFileSync(join(folder, name), 'utf8').matchAll(/\{\w+\}/gu))
      expect(places).toContain(place)
  }
})

test('init --preset labels keeps the tickets of the folder, and needs neither key nor price', async () => {
  const folder = folderWith({ 'tickets.csv': 'mine' })
  const { status, stdout, stderr } = await runMain(['init', folder, '--preset', 'labels'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('tickets.csv is yours and was kept')
  expect(stdout).not.toContain('samples')
  expect(readdirSync(folder).sort()).toEqual(['quorate.config.yaml', 'tickets.csv'])
  expect(readFileSync(join(folder, 'tickets.csv'), 'utf8')).toBe('mine')
  const validated = await runMain(['validate'], { cwd: folder, env: {} })
  expect(validated.stdout).not.toMatch(/missing|unknown|no known price/)
})

import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Question } from '../../src/record/question.ts'
import { startFakeProvider } from '../fake-provider/fake-provider.ts'
import { simulatedQuestions } from '../run/run-world.ts'
import { commandFolder } from './command-folder.ts'
import { HAS_TERMINAL, typeIntoTerminal } from './typed-terminal.ts'

const REST = { budget: { beta: 0.3 }, review: { spotCheckRate: 0 }, limits: { maxCostUsd: null } }

function plainQuestion(id: string, question: string): Question {
  const options = ['A', 'B'].map((name) => ({ name, text: `the ${name} one` }))
  return { id, question, options, gold: 'A', group: null }
}

const PLAIN = [plainQuestion('q1', 'Which?'), plainQuestion('q2', 'And which now?')]

function agentsOf(prefix: string, more: object = {}) {
  return ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `${prefix}${name}`, ...more }))
}

interface Turn {
  readonly samples?: readonly (string | null)[]
}

function debatesIn(path: string): readonly { readonly rounds: readonly (readonly Turn[])[] }[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

test('the simulated panel samples a new answer for every sample', async () => {
  const panel = { agents: agentsOf('simulated/'), rounds: 2, beliefs: 'samples', samples: 4 }
  const { at, ask, run } = commandFolder({ panel, ...REST })
  ask('questions.jsonl', simulatedQuestions(20))
  const debated = await run(['debate', 'questions.jsonl', '--json', '--out', 'debates.jsonl'])
  expect(debated.json(), debated.stderr).toMatchObject({ statuses: { done: 20 }, notices: [] })
  const samples = debatesIn(at('debates.jsonl')).flatMap(({ rounds }) => rounds.flat().map((turn) => turn.samples))
  expect(samples.every((sampled) => sampled?.length === 4)).toBe(true)
  expect(samples.some((sampled) => new Set(sampled).size > 1)).toBe(true)
})

describe('a replay', () => {
  test('repeats the debates of a provider that is gone, and names the questions without a stored answer', async () => {
    const fake = await startFakeProvider()
    const baseURL = `${fake.url}/v1`
    const panelOf = (prefix: string) => ({ ...REST, panel: { rounds: 2, agents: agentsOf(prefix, { baseURL }) } })
    const { at, ask, run, configure } = commandFolder(panelOf('openai-compatible/'))
    configure('replay.json', panelOf('replay/openai-compatible/'))
    ask('questions.jsonl', PLAIN)
    const first = await run(['debate', 'questions.jsonl', '--out', 'first.jsonl'])
    expect(first.status, first.stderr).toBe(0)
    await fake.close()
    const replay = ['--config', 'replay.json']
    const again = await run(['debate', 'questions.jsonl', '--json', '--out', 'again.jsonl', ...replay])
    expect(again.status, again.stderr).toBe(0)
    expect(readFileSync(at('again.jsonl'), 'utf8')).toBe(readFileSync(at('first.jsonl'), 'utf8'))
    expect(again.json()).toMatchObject({ spend: { committedMicroUsd: 0, reservedMicroUsd: 0 } })
    ask('other.jsonl', [plainQuestion('q9', 'Never asked?')])
    const unknown = await run(['debate', 'other.jsonl', ...replay])
    expect(unknown.status).toBe(1)
    expect(unknown.stdout.replace(/\s+/g, ' ')).toContain('no answer is stored to question "q9", agent "ada", round 1')
    const valid = await run(['validate', ...replay])
    expect(valid).toMatchObject({ status: 0, stdout: expect.stringContaining('nothing leaves this machine') })
  })
})

describe('a script', () => {
  test('answers from its file, in every round and for every question', async () => {
    const model = 'scripted/lines.jsonl'
    const { at, ask, run } = commandFolder({ ...REST, panel: { rounds: 2, agents: [{ name: 'ann', model }] } })
    ask('questions.jsonl', PLAIN)
    writeFileSync(at('lines.jsonl'), '{"when":"And which","say":"<answer-{code}>B</answer-{code}>"}\n{"say":"A"}\n')
    const { status, stderr } = await run(['debate', 'questions.jsonl', '--out', 'debates.jsonl'])
    expect(status, stderr).toBe(0)
    const answers = debatesIn(at('debates.jsonl')).map(({ rounds }) => rounds.flat())
    expect(answers).toMatchObject([
      [{ answer: 'A' }, { answer: 'A' }],
      [{ answer: 'B' }, { answer: 'B' }],
    ])
  })
})

describe('a person', () => {
  const config = { ...REST, panel: { rounds: 1, beliefs: 'vote', agents: [{ name: 'eve', model: 'manual/eve' }] } }
  const steering = '\u001b]0;owned\u0007\u001b[2J'

  test('cannot be asked without a terminal, which is a usage error', async () => {
    const { ask, run } = commandFolder(config)
    ask('questions.jsonl', PLAIN)
    const { status, stderr } = await run(['debate', 'questions.jsonl'])
    expect(status).toBe(2)
    expect(stderr).toContain('manual/eve needs a person at a terminal')
  })

  test.skipIf(!HAS_TERMINAL)(
    'types the answers, and control sequences neither reach the terminal nor the store',
    async () => {
      const { folder, at, ask } = commandFolder(config)
      ask('questions.jsonl', [plainQuestion('q1', `Which?${steering}`), ...PLAIN.slice(1)])
      const args = ['debate', 'questions.jsonl', '--out', 'debates.jsonl']
      const answers = ['\r', 'B\r', '<answer>A</answer>\r']
      const { status, shown } = await typeIntoTerminal(folder, args, { cue: 'Your answer', answers })
      expect(status, shown).toBe(0)
      expect(shown).toContain('For eve:')
      expect(shown).toContain('Which?')
      expect(shown).not.toContain('\u001b]0;owned')
      expect(shown).not.toContain('\u001b[2J')
      const given = debatesIn(at('debates.jsonl')).flatMap(({ rounds }) => rounds.flat())
      expect(given.map((turn) => Reflect.get(turn, 'answer')).sort()).toEqual(['A', 'B'])
    },
  )

  test.skipIf(!HAS_TERMINAL)('who presses Ctrl-C twice leaves a run that can be resumed', async () => {
    const { folder, ask } = commandFolder(config)
    ask('questions.jsonl', PLAIN)
    const args = ['debate', 'questions.jsonl']
    const stopped = await typeIntoTerminal(folder, args, { cue: 'Your answer', answers: ['\u0003\u0003'] })
    expect(stopped.status, stopped.shown).toBe(130)
    expect(stopped.shown).toContain('quorate debate questions.jsonl --resume')
    const answers = ['A\r', 'A\r']
    const rest = await typeIntoTerminal(folder, [...args, '--resume'], { cue: 'Your answer', answers })
    expect(rest.status, rest.shown).toBe(0)
  })
})

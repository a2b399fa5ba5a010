import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { runMain } from './run-main.ts'

const usualLimit = Error.stackTraceLimit

afterEach(() => {
  vi.unstubAllGlobals()
  Error.stackTraceLimit = usualLimit
})

/**
 * The steps that a reader follows: the command line, the command, its run, the loop, an answer, a question, its debate, a
 * turn, an ask, its payment, its traffic, the model. A further layer must be worth one more step.
 */
const MOST_FRAMES = 12

test('a request of a command has few frames of our own between main and generateText, and its stack reaches both', async () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  const agents = ['ada', 'bob'].map((name) => ({ name, model: 'openai/gpt-4o-mini' }))
  writeFileSync(at('config.json'), JSON.stringify({ panel: { agents, rounds: 1 }, budget: { beta: 0.3 } }))
  const question = { id: 'q1', question: 'Which?', options: ['A', 'B'] }
  writeFileSync(at('questions.jsonl'), `${JSON.stringify(question)}\n`)
  const stacks: string[] = []
  vi.stubGlobal('fetch', async () => {
    stacks.push(String(new Error('the request').stack))
    return Response.json({ error: { message: 'no' } }, { status: 400 })
  })
  Error.stackTraceLimit = 500
  const env = { OPENAI_API_KEY: 'sk-test' }
  await runMain(['debate', at('questions.jsonl'), '--config', at('config.json')], { env })
  const lines = (stacks[0] ?? '').split('\n')
  const from = lines.findIndex((line) => line.includes('generateText '))
  const to = lines.findIndex((line) => line.includes('runMain'))
  expect(from).toBeGreaterThan(0)
  const own = lines.slice(from, to).filter((line) => line.includes('packages/quorate/src/'))
  expect(own.at(0)).toContain('model/ai-sdk-model.ts')
  expect(own.at(-1)).toContain('cli/main.ts')
  expect(own.length, own.join('\n')).toBeLessThanOrEqual(MOST_FRAMES)
})

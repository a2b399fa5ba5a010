import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measuredCommand } from '../efficiency/measured-command.ts'
import { type FakeProvider, startFakeProvider } from '../fake-provider/fake-provider.ts'
import { inForm } from '../fake-provider/in-form.ts'
import { providerFolder } from './provider-folder.ts'

const AGENTS = 3
const ROUNDS = 4
const LABELLED = 160
const FRESH = 40
/** Large enough that so few labels suffice to act on both rounds of agreement. */
const BUDGET = ['--beta', '0.4']
/** By the number of the question: agreement at once, after a round of debate, or never. */
const WAYS = ['at once', 'at once', 'later', 'never'] as const

interface Decided {
  readonly questionId: string
  readonly kind: 'act' | 'defer'
  readonly round: number
  readonly isSpotCheck: boolean
}

test('decide asks the provider for the rounds up to each decision, and for all rounds of a spot check', async () => {
  const fake = await panelOfThreeWays()
  const folder = providerFolder(fake.url, { questions: 1, rounds: ROUNDS })
  writeQuestions(join(folder, 'labelled.jsonl'), 0, LABELLED)
  writeQuestions(join(folder, 'fresh.jsonl'), LABELLED, FRESH)
  await measuredCommand(folder, ['debate', 'labelled.jsonl', '--trust-config', '--out', 'debates.jsonl'])
  expect(fake.counts().requests).toBe(LABELLED * AGENTS * ROUNDS)
  await measuredCommand(folder, ['calibrate', 'debates.jsonl', '--out', 'certificate.json', ...BUDGET])
  const decide = ['decide', 'fresh.jsonl', '--certificate', 'certificate.json', '--trust-config', ...BUDGET]
  await measuredCommand(folder, [...decide, '--spot-check-rate', '0.3', '--out', 'decisions.jsonl'])
  const decisions = readDecisions(join(folder, 'decisions.jsonl'))
  const sampled = decisions.filter(({ isSpotCheck }) => isSpotCheck)
  // Sampling depends on the id of the run. Of forty, some are sampled and some are not (it fails once in a million times).
  expect(sampled.length).toBeGreaterThan(0)
  expect(sampled.length).toBeLessThan(FRESH - 6)
  const rounds = decisions.reduce((sum, { isSpotCheck, round }) => sum + (isSpotCheck ? ROUNDS : round), 0)
  expect(fake.counts().requests - LABELLED * AGENTS * ROUNDS).toBe(AGENTS * rounds)
  // The rounds are those that the panel needs.
  const acted = decisions.map(
    ({ questionId, kind, round }) => `${wayOf(Number(questionId))}: ${kind === 'act' ? round : kind}`,
  )
  expect(new Set(acted)).toEqual(new Set(['at once: 1', 'later: 2', 'never: defer']))
  await fake.close()
})

function panelOfThreeWays(): Promise<FakeProvider> {
  return startFakeProvider({
    answer({ model, text }) {
      const number = Number(/number (\d+)\?/.exec(text)?.[1])
      const way = wayOf(number)
      const agrees = way === 'at once' || (way === 'later' && text.includes('<response-'))
      const letter = agrees ? rightLetter(number) : 'ABC'[['ann', 'bob', 'cy'].indexOf(model)]
      return inForm(text, { answer: letter })
    },
  })
}

function wayOf(number: number) {
  return WAYS[number % WAYS.length]
}

function rightLetter(number: number): string {
  return 'ABCD'[number % 4] ?? ''
}

function writeQuestions(path: string, from: number, count: number): void {
  const lines = Array.from({ length: count }, (_, index) => {
    const number = from + index
    const question = `Which of four is number ${number}?`
    return JSON.stringify({ id: String(number), question, options: ['A', 'B', 'C', 'D'], gold: rightLetter(number) })
  })
  writeFileSync(path, `${lines.join('\n')}\n`)
}

function readDecisions(path: string): readonly Decided[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  // Written by the command that is tested.
  return lines.map((line) => JSON.parse(line) as Decided)
}

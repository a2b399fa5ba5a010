import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRightAt, readDebates } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { debatesOfFile } from '../../../src/run/calibration/recorded-debates.ts'
import { gradeDebates } from '../../../src/run/exchange/grade-debates.ts'

const turn = (answer: string | null, given?: string) =>
  ['x', 'y'].map((agent) => ({ agent, answer, ...(given === undefined ? {} : { answer_text: given }) }))
const OPEN = {
  id: 'open',
  options: ['1', '2', 'other'],
  gold_text: '4',
  question: '2+2?',
  rounds: [turn('1', '4'), turn('2', 'five'), turn('1', '4')],
}

/** A grader: right if the answer is the gold, wrong if it is a number, otherwise unknown. */
const CHECK = `
let text = ''
process.stdin.on('data', (part) => (text += part)).on('end', () => {
  const { answer_text: said, gold } = JSON.parse(text)
  if (said === 'slow') return setTimeout(() => {}, 60_000)
  process.exit(said === gold ? 0 : /^\\d+$/.test(said) ? 1 : 3)
})`

async function graded(debates: readonly object[], changes: object = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'quorate-grade-'))
  const path = join(folder, 'debates.jsonl')
  writeFileSync(path, debates.map((debate) => JSON.stringify(debate)).join('\n'))
  writeFileSync(join(folder, 'check.mjs'), CHECK)
  const grader = { command: process.execPath, args: [join(folder, 'check.mjs')], timeOutMs: 30_000, ...changes }
  const found = []
  for await (const each of gradeDebates(debatesOfFile(path), grader)) found.push(each)
  return found
}

test('a program grades the answer of every round, and names it', async () => {
  const [first] = await graded([OPEN])
  expect(first?.grades.map(({ round, right, answer }) => [round, right, answer])).toEqual([
    [1, true, '1'],
    [2, null, '2'],
    [3, true, '1'],
  ])
  expect(first?.grades[0]?.by).toMatch(/^command:node/u)
  const { debates } = readDebates([first?.debate as never])
  expect(debates.map((debate) => [1, 2, 3].map((round) => isRightAt(debate, round)))).toEqual([[true, false, true]])
})

test('a program that takes too long gives no grade, and one that does not exist is an error', async () => {
  const slow = { ...OPEN, rounds: [turn('1', 'slow')] }
  const [first] = await graded([slow], { timeOutMs: 300 })
  expect(first?.grades).toMatchObject([{ right: null }])
  await expect(graded([OPEN], { command: 'no-such-grader' })).rejects.toThrow('cannot start no-such-grader')
})

test('a program without a grade is reported with its exit code and the end of its standard error', async () => {
  const reasons: string[] = []
  const onUnknown = (why: string) => void reasons.push(why)
  const args = ['-e', 'console.error("no\\nsuch \\u001b[2Jfile"); process.exitCode = 4']
  await graded([OPEN], { args, onUnknown })
  expect(reasons).toEqual(['exit code 4: no such file', 'exit code 4: no such file'])
})

test('a program ends even if its own child keeps standard error open', async () => {
  const child = `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 90_000)'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true }).unref()`
  const [first] = await graded([{ ...OPEN, rounds: [turn('1', '4')] }], { args: ['-e', child] })
  expect(first?.grades).toMatchObject([{ right: true }])
}, 60_000)

test('arguments are passed as they are: there is no shell', async () => {
  const [first] = await graded([OPEN], {
    args: ['-e', 'process.exit(process.argv[1] === "a b; $HOME" ? 0 : 1)', 'a b; $HOME'],
  })
  expect(first?.grades.map(({ right }) => right)).toEqual([true, true, true])
})

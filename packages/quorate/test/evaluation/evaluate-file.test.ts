import { readFileSync } from 'node:fs'
import {
  evaluatedFile,
  halves,
  type PolicyName,
  policyNamed,
  readDebates,
  summarise,
  tallySplit,
  turnCounts,
} from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { evaluateFile } from '../../src/evaluation/evaluate-file.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { temporaryFolder } from '../files/temporary-files.ts'

const { write } = temporaryFolder()
const debates = simulatePanel({ seed: 3, count: 240 })
const path = write('debates.jsonl', debates)
const policies: readonly PolicyName[] = ['cells', 'consensus', 'majority-final']
const budgets = [
  { beta: 0.15, delta: 0.03, epsilon: 0.02 },
  { beta: 0.3, delta: 0.03, epsilon: 0.02 },
]
const seeds = [7, 11, 13]

describe('evaluating a file', () => {
  test('gives the same bytes whatever the number of threads', async () => {
    const texts = await Promise.all(
      sized({ short: [1, 3], full: [1, 2, 3] }).map(async (threads) =>
        JSON.stringify(await evaluateFile(path, { budgets, policies, seeds, threads })),
      ),
    )
    expect(new Set(texts).size).toBe(1)
  })

  test('gives what evaluating the debates split by split gives, for every budget', async () => {
    const read = readDebates(debates)
    const task = { policies: policies.map(policyNamed), budgets, protocol: 'debate' } as const
    const questions = debates.map(({ id }) => id)
    const splits = seeds.map((seed) => tallySplit(read, halves(questions, seed), { ...task, seed }))
    const beside = { policies, budgets: budgets.slice(1) }
    const expected = budgets.map(({ beta }, place) => summarise(splits, evaluatedFile(read), { beta, place }))
    expect(await evaluateFile(path, { budgets, policies, seeds, threads: 1, beside })).toEqual({
      evaluations: expected,
      beside: expected.slice(1),
      gridEnds: [[], []],
      leftOut: { unlabelled: 0, failed: 0 },
      reading: { beliefs: 'stated', questions: debates.length, unjudged: 0, ...turnCounts(read.debates) },
    })
  })

  test('reports its progress', async () => {
    const reported: string[] = []
    await evaluateFile(path, { budgets, policies: ['consensus'], seeds: [7], progress: (text) => reported.push(text) })
    expect(reported).toContain('0 of 1 splits, fitting consensus')
  })

  test('lets certificates decide from the rows of each group alone, on request', async () => {
    const asked = { budgets, policies, seeds: [7] }
    const { evaluations } = await evaluateFile(path, { ...asked, groupConditional: true })
    const together = await evaluateFile(path, asked)
    const actOf = (found: typeof evaluations) => found[1]?.policies.map(({ act }) => act.mean)
    expect(actOf(evaluations)?.[0]).not.toBe(actOf(together.evaluations)?.[0])
    expect(actOf(evaluations)?.slice(1)).toEqual(actOf(together.evaluations)?.slice(1))
  })

  test('keeps debates of one question in one half', async () => {
    // Every question is asked twice. A policy that memorises would be noticed, and test halves would differ in size.
    const twice = debates.slice(0, 50).flatMap((debate) => [debate, { ...debate, id: `${debate.id} again` }])
    const { evaluations } = await evaluateFile(write('twice.jsonl', twice), {
      budgets,
      policies: ['majority-final'],
      threads: 1,
    })
    const accuracy = evaluations[0]?.policies[0]?.accuracy
    // The twins are both right or both wrong: of 50 tested debates an even number is right.
    expect((accuracy?.min ?? 0) * 25).toBeCloseTo(Math.round((accuracy?.min ?? 0) * 25), 9)
  })
})

describe('an error inside a process is reported in the same words', () => {
  test('a broken line', async () => {
    const lines: unknown[] = [...debates.slice(0, 16), { ...debates[16], gold: 'Z' }, ...debates.slice(17)]
    const broken = write('broken.jsonl', lines)
    await expect(evaluateFile(broken, { budgets, policies, threads: 2 })).rejects.toThrow(
      /^\S*broken\.jsonl: line 17\.gold must be .*, got "Z"$/,
    )
  })

  test('a missing file, with the cause', async () => {
    await expect(evaluateFile(`${path}.missing`, { budgets, policies, threads: 1 })).rejects.toThrow(
      /^cannot read \S*missing: there is no such file or folder/,
    )
  })
})

describe.skipIf(process.platform !== 'linux')('its processes', () => {
  const children = () =>
    readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)

  test('end with an abort, whose reason is thrown, and none is left behind', async () => {
    const before = children()
    const stopping = new AbortController()
    const progress = () => stopping.abort(new Error('enough'))
    await expect(evaluateFile(path, { budgets, seeds, progress, signal: stopping.signal })).rejects.toThrow('enough')
    expect(children()).toEqual(before)
  })

  test('are reported with the signal if one is killed', async () => {
    const before = new Set(children())
    const progress = () => {
      for (const pid of children().filter((each) => !before.has(each))) process.kill(Number(pid), 'SIGKILL')
    }
    await expect(evaluateFile(path, { budgets, seeds, progress })).rejects.toThrow(
      'a process that evaluated splits ended with SIGKILL before its work was done',
    )
  })
})

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPanels } from '@quorate/certificate'
import { afterAll, describe, expect, test } from 'vitest'
import { runDemo } from '../../src/demo/run-demo.ts'
import { textColumns } from '../../src/report/text-columns.ts'
import { runCli } from '../cli/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'quorate-demo-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NOT_A_NUMBER = /NaN|undefined|Infinity|null|\[object/

describe('quorate demo, as a process', () => {
  const { status, stdout, stderr } = runCli(['demo', '--out', folder], { NO_COLOR: '1' })

  test('ends with 0 and nothing on standard error', () => {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('leaves debates behind that the other commands read', () => {
    const lines = readFileSync(join(folder, 'debates.jsonl'), 'utf8').trimEnd().split('\n')
    expect(readPanels(lines.map((line) => JSON.parse(line))).panels).toHaveLength(6000)
    expect(stdout).toContain('/debates.jsonl --beta 0.1\n')
  })

  test('says first that nothing is real and nothing leaves', () => {
    expect(stdout.split('\n')[1]).toBe('simulated panel, no model is called, nothing leaves this machine')
  })

  test('prints labels, budget and the sentences of what is promised', () => {
    const words = stdout.replace(/\s+/g, ' ')
    expect(words).toContain('800 pilot debates shape the certificate, 3,200 are counted; 2,000 fresh ones test it')
    expect(words).toContain('cells beta 0.100 = delta 0.030 + alpha 0.070 + epsilon 0.000')
    expect(words).toContain('tight beta 0.100 = delta 0.030 + alpha 0.050 + epsilon 0.020')
    expect(words).toContain('quorate acts on a question and the answer is wrong is at most beta = 0.1.')
    expect(words).toContain('the state loses at most epsilon = 0.02.')
  })

  test('prints five rows with intervals: ours within the budget, acting always over it', () => {
    const rate = String.raw`\d+\.\d \(\d+\.\d–\d+\.\d\)`
    const row = (name: string, verdict: string) =>
      new RegExp(String.raw`^${name} +\d+\.\d +(${rate}|none) +${rate} +\d+\.\d\d +\d\.\d\d  ${verdict}$`, 'm')
    for (const name of ['cells', 'tight', 'paper']) expect(stdout).toMatch(row(name, 'ok'))
    for (const name of ['round 1', 'round 4']) expect(stdout).toMatch(row(name, 'over budget'))
  })

  test('acts on 40 to 75 per cent with cells, on some with tight, on next to nothing with the paper profile', () => {
    const [cells = 0, tight = 0, paper = 100] = ['cells', 'tight', 'paper'].map((name) =>
      Number(new RegExp(String.raw`^${name} +(\d+\.\d) .* ok$`, 'm').exec(stdout)?.[1]),
    )
    expect(cells).toBeGreaterThan(40)
    expect(cells).toBeLessThan(75)
    expect(tight).toBeGreaterThan(20)
    expect(tight).toBeLessThan(cells)
    expect(paper).toBeLessThan(5)
  })

  test('plays three debates: acting at once, acting later, deferring', () => {
    const plays = stdout.split(/^── \d of 3 /m).slice(1)
    expect(plays).toHaveLength(3)
    expect(plays[0]).toMatch(/● act in round 1 with [A-D]: the bound 0\.\d+ reaches the line 0\.930/)
    expect(plays[1]).toMatch(/● act in round [2-4] with [A-D]: the bound 0\.\d+ reaches the line 0\.930/)
    expect(plays[2]).toContain('◆ defer to a person (bound-low): ')
    for (const play of plays) {
      expect(play).toMatch(/of [\d,]+ labelled debates that went the same way, [\d,]+ were right/)
      expect(play).toMatch(/the right answer is [A-D] \(/)
    }
  })

  test('has no escape code, no line over 80 columns and no number that is none', () => {
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u)
    expect(widest(stdout)).toBeLessThanOrEqual(80)
    expect(stdout).not.toMatch(NOT_A_NUMBER)
  })

  test('prints the same again', () => {
    expect(runCli(['demo', '--seed', '7', '--out', folder], { NO_COLOR: '1' }).stdout).toBe(stdout)
  })
})

describe('a budget that no action can keep', () => {
  const { status, stdout, stderr } = runCli(['demo', '--beta', '0.001'])

  test('is explained and ends with 0', () => {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const words = stdout.replace(/\s+/g, ' ')
    expect(words).toContain('Nothing is acted on beta = 0.001 leaves alpha = 0.0007')
    expect(words).toContain('every question goes to a person')
    expect(words).toMatch(/No number of labels changes that/)
    expect(stdout).toMatch(/^cells +0\.0 +none +0\.0 \(0\.0–0\.2\) /m)
    expect(stdout).not.toMatch(NOT_A_NUMBER)
    expect(widest(stdout)).toBeLessThanOrEqual(80)
  })

  test('comes with what the same labels allow', () => {
    const reachable = [...stdout.matchAll(/^ {2}0\.\d{3} +(\d+\.\d) /gm)].map(([, act]) => Number(act))
    expect(reachable.length).toBeGreaterThan(4)
    expect(reachable.at(-1)).toBeGreaterThan(50)
  })
})

test.each([
  ['a generous budget', { beta: 0.5, width: 80 }],
  ['the largest budget', { beta: 0.99, width: 80 }],
  ['a tight budget', { beta: 0.02, width: 120 }],
  ['an odd budget', { beta: 0.0123456, width: 0 }],
  ['another seed', { beta: 0.1, seed: 4294967295, width: 20 }],
])('%s prints numbers only and keeps its width', async (_, options) => {
  let text = ''
  await runDemo(
    { seed: 3, color: true, folder, commands: { demo: 'quorate demo', quorate: 'quorate' }, ...options },
    (more) => {
      text += more
    },
  )
  expect(text).toContain('\u001b[')
  expect(text).not.toMatch(NOT_A_NUMBER)
  expect(widest(text)).toBeLessThanOrEqual(Math.max(80, Math.min(100, options.width)))
})

function widest(text: string): number {
  return Math.max(...text.split('\n').map(textColumns))
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { runCli } from './run-cli.ts'

let folder = ''
let file = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-plan-'))
  file = join(folder, 'debates.jsonl')
  const lines = simulatePanel({ seed: 7, count: 1600 }).map((debate) => JSON.stringify(debate))
  writeFileSync(file, lines.join('\n'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const planned = (...args: string[]) => runCli(['plan', file, '--splits', '3', ...args])

describe('quorate plan', () => {
  test('--beta 0.001 exits with 20 and names the smallest reachable beta and the labels missing', () => {
    const { status, stdout, stderr } = planned('--beta', '0.001')
    expect({ status, stderr }).toEqual({ status: 20, stderr: '' })
    const answer = paragraph(stdout)
    expect(answer).toMatch(/^No: beta 0\.001 is not reached\. The smallest reachable beta is about 0\.\d{3} \(/)
    expect(answer).toMatch(
      /About [\d,]+ labels in all \([\d,]+ (to [\d,]+|or more)\) would reach beta 0\.\d+ with delta/,
    )
    expect(answer).toMatch(/: [\d,]+ more than there are\.$/)
    expect(widest(stdout)).toBeLessThanOrEqual(80)
  })

  test('--beta 0.15 exits with 0, answers first, and shows every figure with its source and its range', () => {
    const { status, stdout, stderr } = planned('--beta', '0.15')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(paragraph(stdout)).toMatch(/^Yes: at beta 0\.150, cells is expected to act on \d+\.\d % \(\d/)
    for (const said of [
      'estimates from 1,600 labelled debates in 3 random splits',
      'certificates made from 800, tried on 800 others',
      '95 % of one half',
      'Smallest reachable beta by labels calibrated on',
      'Even a perfect panel needs at least',
      'Always acting on the answer of round 4',
      'it would meet this budget',
      'is at most beta = 0.15',
      'quorate evaluate',
    ]) {
      expect(stdout.replace(/\s+/g, ' ')).toContain(said)
    }
    expect(widest(stdout)).toBeLessThanOrEqual(80)
  })

  test('--json prints one object with the same answer and exits alike', () => {
    const { status, stdout } = planned('--beta', '0.04', '--json')
    expect(status).toBe(20)
    const found = JSON.parse(stdout)
    expect(found).toMatchObject({ profile: 'cells', n: 1600, feasible: false, seeds: [7, 11, 13], rounds: 4 })
    expect(found.answer).toContain(`smallest reachable beta is about`)
    expect(found.smallestBeta.median).toBeGreaterThan(0.04)
    expect(found.curve).toHaveLength(5)
  })

  test('--profile paper says that its neighbourhoods are too small for beta 0.10', () => {
    const { status, stdout } = planned('--beta', '0.10', '--profile', 'paper')
    expect(status).toBe(20)
    expect(paragraph(stdout)).toContain('paper counts at most 512 neighbours')
    expect(stdout.replace(/\s+/g, ' ')).toContain('the state loses at most epsilon = 0.02')
  })

  test('too few labels: only the floor is named', () => {
    const few = join(folder, 'few.jsonl')
    const lines = simulatePanel({ seed: 1, count: 12 }).map((debate) => JSON.stringify(debate))
    writeFileSync(few, lines.join('\n'))
    const { status, stdout } = runCli(['plan', few, '--beta', '0.1'])
    expect(status).toBe(20)
    expect(paragraph(stdout)).toBe(
      'No: beta 0.100 is not reached. No beta is, with certificates made from 6 labels. 12 labels are too few to say how ' +
        'many are missing. At least 84 are needed by the arithmetic alone.',
    )
  })

  test.each([
    ['that beta is missing', [], '--beta is missing'],
    ['which profile it expects', ['--beta', '0.1', '--profile', 'cell'], 'did you mean cells?'],
    ['how many splits it expects', ['--beta', '0.1', '--splits', '2'], '--splits must be an integer from 3 to 100'],
    ['which seeds it expects', ['--beta', '0.1', '--seeds', '1,1,2'], '--seeds must be 3 to 100 different integers'],
    ['that splits are named once', ['--beta', '0.1', '--splits', '3', '--seeds', '1,2,3'], 'give one of them'],
  ])('a wrong call exits with 2 and says %s', (_claim, args, message) => {
    const { status, stdout, stderr } = runCli(['plan', file, ...args])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('help plan teaches its flags and exit codes on 100 columns', () => {
    const { stdout } = runCli(['help', 'plan'])
    for (const taught of ['--beta', '--profile', '--splits', '--seeds', '--json', '20'])
      expect(stdout).toContain(taught)
    expect(widest(stdout)).toBeLessThanOrEqual(100)
  })
})

/** The first paragraph as one line. */
function paragraph(text: string): string {
  return (text.split('\n\n')[0] ?? '').replaceAll('\n', ' ')
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length))
}

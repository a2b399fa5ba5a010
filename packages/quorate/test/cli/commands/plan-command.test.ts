import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sized } from '../../../../../tools/lane.ts'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'
import { runMain } from '../run-main.ts'

const LABELS = sized({ short: 500, full: 800 })
let folder = ''
let file = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-plan-'))
  file = join(folder, 'debates.jsonl')
  const lines = simulatePanel({ seed: 7, count: LABELS }).map((debate) => JSON.stringify(debate))
  writeFileSync(file, lines.join('\n'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const planned = (...args: string[]) => runMain(['plan', file, '--splits', '3', ...args])
const plannedCells = (...args: string[]) => planned('--profile', 'cells', ...args)

describe('quorate plan, profile total by default', () => {
  test('--beta 0.15 exits with 0 and shows the effect of beta and floor, which one binds, and what more labels would gain', async () => {
    const { status, stdout, stderr } = await planned('--beta', '0.15')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(paragraph(stdout)).toMatch(
      /^Yes: at beta 0\.150 and floor 0\.700, total is expected to act on \d+\.\d % \([\d.]+–[\d.]+ over 3 splits\)/,
    )
    expect(paragraph(stdout)).toMatch(
      /Beta binds, not the floor|The floor binds, not beta|Both settings bind|Neither setting/,
    )
    for (const printed of [
      'beta 0.150 (of all questions wrong, with confidence), floor 0.700 in every class',
      'Act by beta, at floor 0.700',
      'Act by floor, at beta 0.150',
      'a beta or a floor chosen by looking at them is a further attempt',
      `By the learning curve ${LABELS} labels act on about`,
      '120 more on about',
      'As attempt 2 on the same labels',
      'Even a perfect panel needs at least 22 labelled debates to count, that is 33 labels',
      'always acting would meet this budget',
      'calibrate with --attempt 2',
      'at most 15 % of new questions',
      'in every class that it acts on at least 70 %',
    ]) {
      expect(stdout.replace(/\s+/g, ' ')).toContain(printed)
    }
    expect(stdout).not.toContain('epsilon')
    expect(widest(stdout)).toBeLessThanOrEqual(80)
  })

  test('--beta 0.001 exits with 20, and names the failed test and the labels that it needs', async () => {
    const { status, stdout, stderr } = await planned('--beta', '0.001', '--floor', 'none')
    expect({ status, stderr }).toEqual({ status: 20, stderr: '' })
    const answer = paragraph(stdout)
    expect(answer).toMatch(
      /^No: beta 0\.001 and no floor is not reached\. In 3 of 3 splits even the strictest policy fails/,
    )
    expect(answer).toMatch(
      new RegExp(
        `About [\\d,]+ labels more than the ${LABELS / 2} of a half would pass it|No number of labels|Even 20 times these labels`,
      ),
    )
    expect(answer).toMatch(/The smallest reachable beta is about 0\.\d{3}, with no floor \(/)
    expect(stdout).toMatch(/--beta 0\.\d{3} --floor none/)
    expect(widest(stdout)).toBeLessThanOrEqual(80)
  })

  test('too few labels: the arithmetic of both tests is named', async () => {
    const few = join(folder, 'few-total.jsonl')
    const lines = simulatePanel({ seed: 1, count: 12 }).map((debate) => JSON.stringify(debate))
    writeFileSync(few, lines.join('\n'))
    const { status, stdout } = await runMain(['plan', few, '--beta', '0.1'])
    expect(status).toBe(20)
    expect(paragraph(stdout)).toContain('12 labels are too few to say how many are missing. At least 51 are needed')
    // The promise does not depend on a trial, and it is not that of the other profiles.
    const words = stdout.replaceAll(/\s+/gu, ' ')
    expect(words).toContain('Budget total: beta 0.100 (of all questions wrong, with confidence), floor 0.800')
    expect(words).toContain('Claim With 97 % confidence')
    expect(words).not.toMatch(/alpha|Averaged|envelope/u)
    const average = await runMain(['plan', few, '--beta', '0.1', '--promise', 'average'])
    expect(paragraph(average.stdout)).toContain('At least 27 are needed by the arithmetic alone.')
    const loose = await runMain(['plan', few, '--beta', '0.4'])
    const last = loose.stdout.replaceAll(/\s+/gu, ' ')
    expect(last).toContain('always acting would meet this budget, but it promises no floor.')
  })
})

describe('quorate plan', () => {
  test('--beta 0.001 exits with 20 and names the smallest reachable beta and the labels missing', async () => {
    const { status, stdout, stderr } = await plannedCells('--beta', '0.001')
    expect({ status, stderr }).toEqual({ status: 20, stderr: '' })
    const answer = paragraph(stdout)
    expect(answer).toMatch(/^No: beta 0\.001 is not reached\. The smallest reachable beta is about 0\.\d{3} \(/)
    expect(answer).toMatch(
      /from 2,000 labels on, the score distinguishes agents|About [\d,]+ labels in all|leaves (nothing|alpha 0\.\d+) of it/,
    )
    expect(stdout.replace(/\s+/g, ' ')).toContain('a beta or delta picked from this page')
    expect(widest(stdout)).toBeLessThanOrEqual(80)
  })

  test('--beta 0.15 exits with 0, answers first, and shows every figure with its source and its range', async () => {
    const { status, stdout, stderr } = await plannedCells('--beta', '0.15')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(paragraph(stdout)).toMatch(
      /^Yes: at beta 0\.150, cells is expected to act on \d+\.\d % \([\d.]+–[\d.]+ over 3 splits\)/,
    )
    for (const printed of [
      `estimates from ${LABELS} labelled debates in 3 random splits`,
      `certificates made from ${LABELS / 2}, tried on ${LABELS / 2} others`,
      'mean range over 3 splits',
      'Smallest reachable beta by labels calibrated on',
      'labelled debates like each other, that is',
      'Even a perfect panel needs at least',
      'Always acting on the answer of round 4',
      'always acting would meet this budget',
      'is at most beta = 0.15',
      'quorate evaluate',
    ]) {
      expect(stdout.replace(/\s+/g, ' ')).toContain(printed)
    }
    expect(widest(stdout)).toBeLessThanOrEqual(80)
  })

  test('--json prints one object with the same answer and exits alike', async () => {
    const { status, stdout } = await plannedCells('--beta', '0.02', '--delta', '0.03', '--json')
    expect(status).toBe(20)
    const found = JSON.parse(stdout)
    expect(found).toMatchObject({ profile: 'cells', n: LABELS, feasible: false, seeds: [7, 11, 13], rounds: 4 })
    expect(found.answer).toContain(`smallest reachable beta is about`)
    expect(found.smallestBeta.beta).toBeGreaterThan(0.02)
    expect(found.answer).toContain(`is about ${found.smallestBeta.beta.toFixed(3)} (`)
    expect(found.curve).toHaveLength(5)
    const again = JSON.parse(
      (await plannedCells('--beta', String(found.smallestBeta.beta), '--delta', '0.03', '--json')).stdout,
    )
    expect(again.feasible).toBe(true)
    expect(Object.keys(again.atBeta.act).sort()).toEqual(['high', 'low', 'max', 'mean', 'min'])
  })

  test('--profile paper reports that its neighbourhoods are too small for beta 0.10', async () => {
    const { status, stdout } = await planned('--beta', '0.10', '--profile', 'paper')
    expect(status).toBe(20)
    expect(paragraph(stdout)).toContain('paper counts at most 512 neighbours')
    expect(stdout.replace(/\s+/g, ' ')).toContain('the state loses at most epsilon = 0.02')
  })

  test('too few labels: only the floor is named', async () => {
    const few = join(folder, 'few.jsonl')
    const lines = simulatePanel({ seed: 1, count: 12 }).map((debate) => JSON.stringify(debate))
    writeFileSync(few, lines.join('\n'))
    const { status, stdout } = await runMain(['plan', few, '--beta', '0.1', '--profile', 'cells'])
    expect(status).toBe(20)
    expect(paragraph(stdout)).toBe(
      'No: beta 0.100 is not reached. No beta is, with certificates made from 6 labels. 12 labels are too few to say how ' +
        'many are missing. At least 59 are needed by the arithmetic alone.',
    )
  })

  test('a panel that is always right: no count of labels is called too few, and the reason why nothing is learned is given', async () => {
    const right = join(folder, 'right.jsonl')
    const debate = (row: number) => ({
      id: `q${row}`,
      options: ['A', 'B'],
      gold: 'A',
      rounds: [[{ agent: 'x', answer: 'A' }]],
    })
    writeFileSync(right, Array.from({ length: 1000 }, (_, row) => JSON.stringify(debate(row))).join('\n'))
    for (const profile of ['total', 'cells']) {
      const certified = await runMain(['plan', right, '--beta', '0.1', '--splits', '3', '--profile', profile])
      expect(certified.status, certified.stdout).toBe(0)
      expect(certified.stdout).not.toContain('too few')
    }
    const { status, stdout } = await runMain(['plan', right, '--beta', '0.1', '--splits', '3', '--profile', 'tight'])
    expect(status).toBe(20)
    expect(paragraph(stdout)).toContain('tight needs some wrong answers among them to learn how fast answers change')
    expect(stdout).not.toContain('too few')
    expect(stdout).not.toContain('a better panel')
    const strict = await runMain(['plan', right, '--beta', '0.005', '--splits', '3'])
    expect(strict.status).toBe(20)
    expect(paragraph(strict.stdout)).toContain(
      'The pilot debates are all answered right: total needs some wrong answers',
    )
  })

  test.each([
    ['that beta is missing', [], '--beta is missing'],
    ['which profile it expects', ['--beta', '0.1', '--profile', 'cell'], 'Did you mean cells?'],
    ['how many splits it expects', ['--beta', '0.1', '--splits', '2'], '--splits must be an integer from 3 to 100'],
    ['which seeds it expects', ['--beta', '0.1', '--seeds', '1,1,2'], '--seeds must be 3 to 100 different integers'],
    ['that splits are named once', ['--beta', '0.1', '--splits', '3', '--seeds', '1,2,3'], 'pass one of them'],
  ])('a usage error exits with 2 and reports %s', async (_claim, args, message) => {
    const { status, stdout, stderr } = await runMain(['plan', file, ...args])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('help plan explains its flags and exit codes on 100 columns', async () => {
    const { stdout } = await runMain(['help', 'plan'])
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

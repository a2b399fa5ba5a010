import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { POLICY_NAMES, readDebates } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { DecisionLine } from '../../../src/evaluation/decisions-file.ts'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'
import { textColumns } from '../../../src/text/text-columns.ts'
import { temporaryFolder } from '../../files/temporary-files.ts'
import { runMain } from '../run-main.ts'

const { folder, write } = temporaryFolder()
const debates = simulatePanel({ seed: 3, count: 800 })
const path = write('debates.jsonl', debates)
/** The number of debates for tests that do not check figures. */
const few = debates.slice(0, 200)
const fewPath = write('few.jsonl', few)

/**
 * Runs the command. The output shows the temporary file by the path that a user would have typed. It runs in this process,
 * because another one would take as long to start as a small evaluation.
 */
async function evaluated(args: readonly string[], file = path, threads: readonly string[] = ['--threads', '1']) {
  const { status, stdout, stderr } = await runMain(['evaluate', file, ...args, ...threads])
  const typed = (text: string) => text.replaceAll(file, 'debates.jsonl')
  return { status, stdout: typed(stdout), stderr: typed(stderr) }
}

describe('the page', () => {
  test('shows every policy with its intervals, by round and by group, and what was promised', async () => {
    const { status, stdout, stderr } = await evaluated(['--beta', '0.15', '--splits', '2'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const name of POLICY_NAMES) expect(stdout).toContain(`\n${name} `)
    expect(stdout.replace(/\s+/g, ' ')).toContain('is wrong is at most beta = 0.15.')
    expect(Math.max(...stdout.split('\n').map(textColumns))).toBeLessThanOrEqual(80)
    expect(stdout).not.toMatch(/NaN|undefined|Infinity|null|\[object|(?!\n)\p{Cc}/u)
    expect(stdout).toContain('How much the fit itself varies, min–max over splits.')
    expect(stdout).toContain('consensus: no cap comes within 25 %')
    expect(stdout).toContain('Groups that were not calibrated on')
    expect(stdout.replace(/\s+/g, ' ')).toContain('says nothing about groups you did not calibrate on')
    await expect(stdout).toMatchFileSnapshot('transcripts/evaluate.txt')
  })

  test('names the policies that cannot act with a budget, and a budget with which they can', async () => {
    const { status, stdout } = await evaluated([
      ...['--beta', '0.05', '--delta', '0.03', '--epsilon', '0.02'],
      ...['--seeds', '7', '--policies', 'cells,paper,majority-first'],
    ])
    expect(status).toBe(0)
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'paper defers everything (budget-infeasible). Smaller parts leave room, for example --delta 0.015 --epsilon 0.01.',
    )
    expect(stdout).toContain('no evidence')
    await expect(stdout).toMatchFileSnapshot('transcripts/evaluate-infeasible.txt')
  })

  test('of group-conditional certificates names the policies that decide by group, and promises it for every group', async () => {
    const flags = ['--beta', '0.3', '--splits', '1', '--policies', 'cells,consensus', '--group-conditional']
    const text = (await evaluated(flags, fewPath)).stdout.replace(/\s+/g, ' ')
    expect(text).toContain('Groups cells: decided within each group; the other policies pool groups')
    expect(text).toContain('For cells: Within each group, averaged over calibration sets')
    expect((await evaluated(flags.slice(0, -1), fewPath)).stdout).not.toMatch(/within each group/i)
  })

  test('marks a threshold at the end of its grid', async () => {
    const flags = ['--beta', '0.5', '--splits', '2', '--policies', 'selective-prediction,learn-then-test,consensus']
    const { stdout } = await evaluated(flags, fewPath, [])
    expect(stdout).toMatch(/^selective-prediction .* \*$/m)
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      "*: threshold at the end of the paper's grid, .5 (splits: selective-prediction in 2 of 2).",
    )
  })

  test('of a growing panel counts every agent once', async () => {
    const wide = debates.map((debate, row) => ({
      ...debate,
      rounds: [debate.rounds.slice(0, 4).flatMap(renamed)],
      id: `w${row}`,
    }))
    const file = write('wide.jsonl', wide)
    const flags = ['--beta', '0.2', '--splits', '1', '--policies', 'cells,consensus,majority-final']
    const growing = ['--protocol', 'growing-panel', '--panel-sizes', '3,6,12']
    const { stdout } = await evaluated([...flags, ...growing], file)
    expect(stdout).toMatch(/^majority-final +\d\.\d\d +\d\.\d\d +3\.00 +3\.00 +12\.0 /m)
    await expect(stdout).toMatchFileSnapshot('transcripts/evaluate-growing-panel.txt')
    // Without the protocol the same file is a debate of one round.
    const alone = ['--beta', '0.2', '--splits', '1', '--policies', 'majority-final']
    expect((await evaluated(alone, file)).stdout).toContain('800 labelled, 1 round;')
  })

  test('prints hostile names without control characters, and shortens long ones', async () => {
    const names = ['\u2066<script>alert(1)</script>', 'a\u202eb', 'long '.repeat(40)]
    const hostile = few.map((debate, row) => ({ ...debate, group: names[row % names.length] }))
    const { stdout } = await evaluated(
      ['--beta', '0.3', '--splits', '1', '--policies', 'cells'],
      write('hostile.jsonl', hostile),
    )
    expect(stdout).toContain('By group, cells')
    expect(stdout).not.toMatch(/(?!\n)\p{C}/u)
    expect(Math.max(...stdout.split('\n').map(textColumns))).toBeLessThanOrEqual(80)
  })
})

describe('--json', async () => {
  const { status, stdout, stderr } = await evaluated(['--beta', '0.2', '--splits', '2', '--json'])
  const found = JSON.parse(stdout)

  test('prints one object with the agreed keys and nothing else', () => {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(Object.keys(found)).toEqual([
      ...[
        'n',
        'rounds',
        'beta',
        'floor',
        'seeds',
        'skipped',
        'policies',
        'computeMatched',
        'shift',
        'local',
        'reading',
      ],
    ])
    expect(found).toMatchObject({ n: 800, rounds: 4, beta: 0.2, floor: 0.7, seeds: [7, 11] })
    expect(found.reading).toMatchObject({ beliefs: 'stated', questions: 800, missing: 0, renormalised: 0 })
  })

  test('has for every policy figures with mean, spread and interval, or null', () => {
    const listed = [...found.policies, ...found.skipped].map(({ name }: { name: string }) => name)
    expect(listed.toSorted()).toEqual(POLICY_NAMES.toSorted())
    for (const policy of found.policies) {
      expect(Object.keys(policy)).toEqual(POLICY_KEYS)
      for (const key of ['act', 'wrongActions']) expectRate(policy[key])
      for (const key of ['budgetUsed', 'roundsUsed', 'calls']) expectFigure(policy[key])
      if (policy.accuracy !== null) expectRate(policy.accuracy)
      if (policy.stoppingRound !== null) expectFigure(policy.stoppingRound)
      expect(policy.worstBudgetUsed).toBe(policy.budgetUsed.max)
      expect(policy.perRound.map(({ round }: { round: number }) => round)).toEqual([1, 2, 3, 4])
      for (const round of policy.perRound)
        expect(Object.keys(round)).toEqual(['round', 'acted', 'accuracy', 'low', 'high'])
      expect(policy.perGroup).toHaveLength(5)
      for (const group of policy.perGroup) {
        expect(Object.keys(group)).toEqual(['group', 'n', 'act', 'accuracy', 'wrongActions'])
        expectRate(group.act)
      }
    }
  })

  test('has for every policy the kinds of debates it acted on, judged by one floor', () => {
    for (const { perKind, perRound, floor, kindsJudged, kindsBelow } of found.policies) {
      for (const kind of perKind) {
        expect(Object.keys(kind)).toEqual(KIND_KEYS)
        expect(kind).toMatchObject({ rate: kind.right / kind.acted, perSplit: kind.acted / 2 })
      }
      const judged = perKind.filter(({ perSplit }: { perSplit: number }) => perSplit >= 50)
      const below = judged.filter(({ isBelow }: { isBelow: boolean }) => isBelow)
      expect({ floor, kindsJudged, kindsBelow }).toEqual({
        floor: 0.7,
        kindsJudged: judged.length,
        kindsBelow: below.length,
      })
      const sum = (rows: readonly { acted: number }[]) => rows.reduce((all, { acted }) => all + acted, 0)
      expect(sum(perKind)).toBe(sum(perRound))
    }
  })

  test('has every group as decided by policies that were fitted on the other groups', () => {
    expect(found.shift.isHalved).toBe(false)
    expect(found.shift.policies.map(({ name }: { name: string }) => name)).toEqual([
      'total',
      'cells',
      'learn-then-test',
    ])
    for (const { groups, groupsOver, worstBudgetUsed } of found.shift.policies) {
      expect(groups.reduce((sum: number, { n }: { n: number }) => sum + n, 0)).toBe(800)
      for (const group of groups) {
        expect(Object.keys(group)).toEqual(SHIFT_KEYS)
        expect(group.budgetUsed).toBeCloseTo((group.acted - group.right) / group.n / 0.2, 12)
      }
      const used = groups.map(({ budgetUsed }: { budgetUsed: number }) => budgetUsed)
      expect(worstBudgetUsed).toBe(Math.max(...used))
      expect(groupsOver).toBe(used.filter((share: number) => share > 1).length)
    }
  })

  test('has both compute-matched rules', () => {
    expect(found.computeMatched.map(({ name }: { name: string }) => name)).toEqual(['majority-final', 'consensus'])
    for (const row of found.computeMatched) {
      expect(Object.keys(row)).toEqual(['name', 'cap', 'act', 'accuracy', 'wrongActions', 'calls'])
    }
  })

  test('does not depend on the number of threads', async () => {
    const flags = ['--beta', '0.2', '--splits', '2', '--policies', 'cells,consensus', '--json']
    const alone = await evaluated(flags, fewPath)
    expect(alone.status).toBe(0)
    expect((await evaluated(flags, fewPath, ['--threads', '2'])).stdout).toBe(alone.stdout)
  })
})

describe('--decisions', async () => {
  const file = join(folder, 'decisions.jsonl')
  writeFileSync(file, 'an older file, replaced as a whole')
  const flags = ['--beta', '0.2', '--splits', '2', '--policies', 'cells,consensus', '--decisions', file]
  const { status, stdout, stderr } = await evaluated([...flags, '--json'], fewPath)
  const found = JSON.parse(stdout)
  const lines: DecisionLine[] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

  test('has one line for every split, policy and held-out debate, in the order of splits and policies', () => {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(lines).toHaveLength(2 * 2 * 100)
    for (const line of lines) expect(Object.keys(line)).toEqual(DECISION_KEYS)
    const blocks = new Set(lines.map(({ split, policy, beta }) => `${split} ${policy} ${beta}`))
    expect([...blocks]).toEqual(['7 cells 0.2', '7 consensus 0.2', '11 cells 0.2', '11 consensus 0.2'])
    expect(readdirSync(folder).filter((name) => name.startsWith('decisions.jsonl'))).toEqual(['decisions.jsonl'])
  })

  test('gives the figures of the evaluation when counted again', () => {
    for (const policy of found.policies) {
      const own = lines.filter((line) => line.policy === policy.name)
      const acted = own.filter(({ decision }) => decision === 'act')
      expect(acted.length / own.length).toBeCloseTo(policy.act.mean, 12)
      expect(acted.filter(({ right }) => !right).length / own.length).toBeCloseTo(policy.wrongActions.mean, 12)
      for (const { round, acted: count } of policy.perRound) {
        expect(acted.filter((line) => line.round === round)).toHaveLength(count)
      }
    }
  })

  test('has the answer acted on, and for a deferral whether the last answer was right', () => {
    const known = new Map(readDebates(debates).debates.map((debate) => [debate.record.id, debate]))
    for (const { id, decision, round, answer, right } of lines) {
      const debate = known.get(id)
      const prediction = debate?.rounds.at(round === null ? -1 : round - 1)?.prediction ?? -1
      expect(right).toBe(prediction === debate?.record.gold)
      expect(answer).toBe(decision === 'act' ? debate?.record.options[prediction] : null)
      expect(round === null).toBe(decision === 'defer')
    }
  })

  test('are named on the page, and a file that cannot be written is refused before anything is computed', async () => {
    expect((await evaluated(flags, fewPath)).stdout).toContain(`\nWrote decisions to ${file}.\n`)
    const missing = join(folder, 'missing', 'decisions.jsonl')
    const refused = await evaluated([...flags.slice(0, -1), missing])
    expect({ ...refused, stderr: '' }).toEqual({ status: 1, stdout: '', stderr: '' })
    expect(refused.stderr).toContain(`cannot write ${missing}`)
    expect((await evaluated([...flags.slice(0, -1), ''])).stderr).toContain('--decisions must name a file, got ""')
  })
})

describe('an error exits with 1, nothing on standard output and one line that names its position', () => {
  test.each<[string, string | readonly unknown[], string]>([
    [
      'a malformed line 17',
      [...debates.slice(0, 16), withBeliefs({ A: 0.5, B: 0.4 })],
      'debates.jsonl: line 17.rounds[0][1].beliefs must be probabilities with a sum within 0.01 of 1, got 0.9. Correct it, or read the answers without it: --beliefs stated or --beliefs vote',
    ],
    ['no JSON', 'id,gold\nq1,A\n', 'debates.jsonl: line 1 must be one JSON object, got "id,gold": Unexpected token'],
    ['an empty file', '', 'debates.jsonl: expected labelled debates, one per line, got none: the file is empty'],
    [
      'rounds that differ',
      [debates[0], { ...debates[1], rounds: debates[1]?.rounds.slice(0, 2) }],
      'debates.jsonl: line 2.rounds must be 4 rounds like line 1: a debate that stopped early cannot be compared, got 2',
    ],
  ])('%s', async (_claim, content, message) => {
    const { status, stdout, stderr } = await evaluated(['--beta', '0.15'], write('broken.jsonl', content))
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`quorate: ${message}`)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test('a missing file', async () => {
    const { status, stderr } = await evaluated(['--beta', '0.15'], `${path}.missing`)
    expect(status).toBe(1)
    expect(stderr).toContain('quorate: cannot read debates.jsonl: there is no such file or folder')
  })
})

describe('a usage error exits with 2 and reports', () => {
  test.each<[string, readonly string[], string]>([
    ['that the file is missing', ['--beta', '0.1'], 'evaluate: DEBATES.jsonl is missing'],
    ['that beta is missing', [path], '--beta is missing: the largest share of questions to act on wrongly'],
    [
      'which beta it expects',
      [path, '--beta', '0'],
      '--beta must be a number from 0.000001 to 0.999999, such as 0.15, got "0"',
    ],
    [
      'which delta it expects',
      [path, '--beta', '.1', '--delta', 'x'],
      '--delta must be a number from 1e-12 to 0.999999',
    ],
    [
      'which policy was meant',
      [path, '--beta', '.1', '--policies', 'cells,thight'],
      '--policies: unknown policy "thight". Did you mean tight? The policies are total, cells, tight, paper',
    ],
    [
      'that a policy is named once',
      [path, '--beta', '.1', '--policies', 'cells,cells'],
      '--policies must name each policy once',
    ],
    [
      'which reading was meant',
      [path, '--beta', '.1', '--beliefs', 'votes'],
      '--beliefs must be one of given, samples, stated, vote, got "votes". Did you mean vote?',
    ],
    [
      'that sizes need the protocol',
      [path, '--beta', '.1', '--panel-sizes', '3,6'],
      '--panel-sizes needs --protocol growing-panel',
    ],
    [
      'that the protocol needs sizes',
      [path, '--beta', '.1', '--protocol', 'growing-panel'],
      '--protocol growing-panel needs --panel-sizes',
    ],
    [
      'which sizes it expects',
      [path, '--beta', '.1', '--protocol', 'growing-panel', '--panel-sizes', '6,3'],
      '--panel-sizes must be numbers of agents from 1 to 64, each larger',
    ],
    [
      'that an order is too short',
      [path, '--beta', '.1', '--protocol', 'growing-panel', '--panel-sizes', '3,6', '--panel-order', '1,0'],
      '--panel-order must name at least 6 agents',
    ],
    [
      'which seeds it expects',
      [path, '--beta', '.1', '--seeds', '7,7'],
      '--seeds must be different integers from 0 to 4294967295',
    ],
    [
      'that splits and seeds exclude each other',
      [path, '--beta', '.1', '--seeds', '7', '--splits', '2'],
      '--splits and --seeds set the same thing: pass one of them',
    ],
    [
      'how many splits it takes',
      [path, '--beta', '.1', '--splits', '0'],
      '--splits must be an integer from 1 to 1000, got "0"',
    ],
    [
      'how many threads it takes',
      [path, '--beta', '.1', '--threads', '1.5'],
      '--threads must be an integer from 1 to 64, got "1.5"',
    ],
  ])('%s', async (_claim, args, message) => {
    const { status, stdout, stderr } = await runMain(['evaluate', ...args])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`quorate: ${message}`)
  })
})

test('--help explains every flag, with examples, on 100 columns', async () => {
  const { status, stdout } = await runMain(['evaluate', '--help'])
  expect(status).toBe(0)
  for (const taught of [
    '--beta',
    '--beliefs',
    '--panel-order',
    '--seeds',
    '--policies',
    '--json',
    'Examples',
    ...POLICY_NAMES,
  ]) {
    expect(stdout).toContain(taught)
  }
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
})

test('a pipe is refused, because every thread would read a part of it', async () => {
  const pipe = join(folder, 'debates.pipe')
  spawnSync('mkfifo', [pipe])
  const { status, stdout, stderr } = await runMain(['evaluate', pipe, '--beta', '0.15'])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/debates\.pipe must be a regular file, because it is read more than once/)
})

const POLICY_KEYS = [
  'name',
  'delta',
  'epsilon',
  'threshold',
  'act',
  'accuracy',
  'wrongActions',
  'budgetUsed',
  'roundsUsed',
  'stoppingRound',
  'calls',
  'worstBudgetUsed',
  'perRound',
  'perGroup',
  'perAnswer',
  'perTruth',
  'perKind',
  'floor',
  'kindsJudged',
  'kindsBelow',
]

const DECISION_KEYS = ['split', 'policy', 'beta', 'id', 'decision', 'round', 'answer', 'right']

const SHIFT_KEYS = [
  'group',
  'n',
  'acted',
  'right',
  'act',
  'accuracy',
  'wrongActions',
  'low',
  'high',
  'budgetUsed',
  'isOver',
]

const KIND_KEYS = [
  'kind',
  'round',
  'agreement',
  'hasChanged',
  'acted',
  'right',
  'rate',
  'low',
  'high',
  'perSplit',
  'isBelow',
]

interface FoundFigure {
  readonly mean: number
  readonly min: number
  readonly max: number
  readonly low: number | null
  readonly high: number | null
}

function expectFigure(figure: FoundFigure): void {
  expect(Object.keys(figure)).toEqual(['mean', 'min', 'max', 'low', 'high'])
  expect(figure.min).toBeLessThanOrEqual(figure.mean)
  expect(figure.mean).toBeLessThanOrEqual(figure.max)
  expect([figure.low, figure.high]).toEqual([null, null])
}

function expectRate({ low, high, ...figure }: FoundFigure): void {
  expectFigure({ ...figure, low: null, high: null })
  expect(low).toBeLessThan(high ?? 0)
  expect(low).toBeGreaterThanOrEqual(0)
  expect(high).toBeLessThanOrEqual(1)
}

/** Replaces the beliefs of the second agent in round 1 of the seventeenth debate. */
function withBeliefs(beliefs: Readonly<Record<string, number>>): unknown {
  const [first = [], ...rest] = debates[16]?.rounds ?? []
  return { ...debates[16], rounds: [first.map((turn, place) => (place === 1 ? { ...turn, beliefs } : turn)), ...rest] }
}

function renamed(turns: readonly { readonly agent: string }[], round: number) {
  return turns.map((turn) => ({ ...turn, agent: `${turn.agent} ${round + 1}` }))
}

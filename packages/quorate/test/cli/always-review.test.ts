import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { isAlwaysReviewed } from '../../src/record/review-rules.ts'
import { commandFolder } from './command-folder.ts'

const CONFIG = {
  answers: { kind: 'labels', labels: { refund: 'wants money back', other: 'anything else' } },
  alwaysReview: [{ when: { group: 'vip' } }, { when: { field: 'amount', above: 1000 } }],
  panel: {
    rounds: 1,
    beliefs: 'vote',
    agents: ['ada', 'bob'].map((name) => ({ name, model: `scripted/${name}.jsonl` })),
  },
  budget: { beta: 0.2 },
  review: { spotCheckRate: 1 },
}

const LABELLED = 200

/** Of every ten rows, one is from a VIP, one has a large amount, and one has an amount that is not a number. */
function jobFolder(config: object = CONFIG) {
  const job = commandFolder(config)
  const rows = Array.from({ length: LABELLED + 100 }, (_, row) => {
    const amount = row % 10 === 1 ? '5000' : row % 10 === 2 ? '1.000,50' : '12'
    return [`t${row}`, row % 10 === 0 ? 'vip' : 'mail', amount, `text ${row}`, row < LABELLED ? 'refund' : ''].join(';')
  })
  writeFileSync(job.at('tickets.csv'), `${['id;group;amount;question;gold', ...rows].join('\n')}\n`)
  for (const name of ['ada', 'bob']) {
    writeFileSync(job.at(`${name}.jsonl`), `${JSON.stringify({ say: '<answer-{code}>refund</answer-{code}>' })}\n`)
  }
  return job
}

const rowsOf = (path: string) =>
  parse(readFileSync(path), { columns: true, delimiter: ';' }) as Record<string, string>[]

describe('rules that send questions to a person', () => {
  test('cost no call, not even for a spot check, and are counted and shown', async () => {
    const job = jobFolder()
    const result = await job.run(['run', 'tickets.csv', '--out', 'decided.csv'])
    expect(result, result.stdout + result.stderr).toMatchObject({ status: 0 })
    expect(result.stderr).toMatch(/60 questions not debated: a rule sends them to a person \(alwaysReview\)/u)
    expect(result.stdout).toMatch(/^Rules {6}60 labelled rows that a rule sends to a person/mu)
    expect(result.stdout).toMatch(/^Calibrated on 140 labelled rows/mu)
    expect(result.stdout).toMatch(/30 of them by a rule\s+\(alwaysReview\) and without a call/u)
    // Two agents and 140 labelled rows; then 70 rows, all of them sampled, and none of the 30 under a rule.
    expect([...result.stdout.matchAll(/^Asked {6}(\d+) calls/gmu)].map(([, calls]) => calls)).toEqual(['280', '140'])
    const decided = rowsOf(job.at('decided.csv')).filter(({ decision }) => decision !== 'label')
    const ruled = decided.filter(({ reason }) => reason === 'always-review')
    expect(ruled.map(({ id }) => id)).toEqual(decided.map(({ id }) => id).filter((id) => /[012]$/u.test(id ?? '')))
    expect(ruled.every(({ decision, review_id: review }) => decision === 'defer' && review !== '')).toBe(true)
    expect(decided.filter(({ decision }) => decision === 'act')).toHaveLength(70)
  })

  test('refuse a row that was acted on before its fields changed so that one applies, unless it is decided again', async () => {
    const job = jobFolder()
    const run = (...flags: string[]) => job.run(['run', 'tickets.csv', '--out', 'decided.csv', ...flags])
    const row = (id: string) => rowsOf(job.at('decided.csv')).find((each) => each['id'] === id)
    await run()
    expect(row('t205')).toMatchObject({ amount: '12', decision: 'act' })
    const tickets = readFileSync(job.at('tickets.csv'), 'utf8')
    writeFileSync(job.at('tickets.csv'), tickets.replace('t205;mail;12;', 't205;mail;5000;'))
    const refused = await run()
    expect(refused).toMatchObject({ status: 1 })
    expect(refused.stderr.replaceAll(/\s+/gu, ' ')).toContain(
      'the question "t205" was asked before with fields that no rule sends to a person (alwaysReview), and now one does',
    )
    expect(await run('--again')).toMatchObject({ status: 0 })
    expect(row('t205')).toMatchObject({ amount: '5000', decision: 'defer', reason: 'always-review' })
    // A row that a rule applied to before stays with its reviewer, and so does a labelled one.
    const changed = [
      ['t201;mail;5000;', 't201;mail;12;'],
      ['t205;mail;12;', 't205;mail;5000;'],
      ['t5;mail;12;', 't5;mail;5000;'],
    ] as const
    const edited = changed.reduce((text, [before, after]) => text.replace(before, after), tickets)
    writeFileSync(job.at('tickets.csv'), edited)
    expect(await run()).toMatchObject({ status: 0 })
    expect(row('t201')).toMatchObject({ decision: 'defer', reason: 'always-review' })
  })

  test('refuse a row that was acted on before its text was erased, because nothing is left to compare with', async () => {
    const job = jobFolder()
    const run = (...flags: string[]) => job.run(['run', 'tickets.csv', '--out', 'decided.csv', ...flags])
    const row = (id: string) => rowsOf(job.at('decided.csv')).find((each) => each['id'] === id)
    await run()
    expect(row('t205')).toMatchObject({ amount: '12', decision: 'act' })
    expect(await job.run(['redact', 't205'])).toMatchObject({ status: 0 })
    const tickets = readFileSync(job.at('tickets.csv'), 'utf8')
    writeFileSync(job.at('tickets.csv'), tickets.replace('t205;mail;12;', 't205;mail;5000;'))
    const refused = await run()
    expect(refused).toMatchObject({ status: 1 })
    expect(refused.stderr.replaceAll(/\s+/gu, ' ')).toContain(
      'the question "t205" was acted on before, and its text was erased',
    )
    expect(await run('--again')).toMatchObject({ status: 0 })
    expect(row('t205')).toMatchObject({ amount: '5000', decision: 'defer', reason: 'always-review' })
  })

  test('may be added to a certificate, but removing one is a mismatch', async () => {
    const job = jobFolder()
    await job.run(['run', 'tickets.csv'])
    const more = [...CONFIG.alwaysReview, { when: { field: 'amount', is: '12' } }]
    job.configure('quorate.config.json', { ...CONFIG, alwaysReview: more })
    const stricter = await job.run([
      'decide',
      'tickets.csv',
      '--certificate',
      'certificate.json',
      '--allow-seen',
      '--json',
    ])
    expect(stricter.json()).toMatchObject({ mismatch: [] })
    job.configure('quorate.config.json', { ...CONFIG, alwaysReview: CONFIG.alwaysReview.slice(1) })
    const looser = await job.run([
      'decide',
      'tickets.csv',
      '--certificate',
      'certificate.json',
      '--allow-seen',
      '--json',
    ])
    const { mismatch } = looser.json() as unknown as { mismatch: readonly { of: string }[] }
    expect(mismatch.map(({ of }) => of)).toEqual(['alwaysReview'])
  })

  test('of a field fail closed: a value that is missing or not a number goes to a person', () => {
    const above = [{ when: { field: 'amount', above: 1000 } }]
    const asked = (amount: unknown) => ({ group: null, columns: [['amount', amount] as const] })
    for (const amount of [1001, '1001', '1e9', '1.000,50', '1,000', 'many', '', ' ', null, undefined, Number.NaN]) {
      expect(isAlwaysReviewed(above, asked(amount)), String(amount)).toBe(true)
    }
    for (const amount of [1000, '1000', ' 7 ', '-5']) expect(isAlwaysReviewed(above, asked(amount))).toBe(false)
    expect(isAlwaysReviewed(above, { group: null })).toBe(true)
    expect(isAlwaysReviewed([{ when: { field: 'amount', below: 0 } }], asked('-5'))).toBe(true)
    expect(isAlwaysReviewed([{ when: { field: 'amount', is: 'CH' } }], asked('AT'))).toBe(false)
    expect(isAlwaysReviewed([], asked('x'))).toBe(false)
  })

  test('of a field apply to every list and object, which a line of JSON may have', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    for (const value of [
      ['CH'],
      ['AT'],
      { country: 'CH' },
      [],
      {},
      { toString: 1, valueOf: 1 },
      [{ toString: 1 }],
      deep,
    ]) {
      const asked = { group: null, columns: [['amount', value] as const] }
      for (const when of [{ is: 'CH' }, { is: 5 }, { is: true }, { above: 5 }, { below: 5 }]) {
        expect(isAlwaysReviewed([{ when: { field: 'amount', ...when } }], asked)).toBe(true)
      }
    }
  })

  test('of a field apply if any reading of an ambiguous value matches', () => {
    const asked = (amount: unknown) => ({ group: null, columns: [['amount', amount] as const] })
    const rule = (when: object) => [{ when: { field: 'amount', ...when } }]
    for (const [when, amount, expected] of [
      // One thousand in many European formats.
      [{ above: 500 }, '1.000', true],
      [{ above: 500 }, '1.234.567', true],
      [{ above: 5000 }, '1.000', false],
      [{ above: 500 }, 1.0, false],
      [{ below: 5 }, '1.000', true],
      // As Excel writes it.
      [{ is: true }, 'TRUE', true],
      [{ is: true }, 'yes', true],
      [{ is: true }, 'False', false],
      [{ is: 12 }, '12.0', true],
      [{ is: 12 }, 'twelve', true],
      [{ is: 12 }, '13', false],
      [{ is: 'CH' }, 'ch', true],
      [{ is: 'CH' }, '\uff23\uff28', true],
      [{ is: 'Zu\u0308rich' }, 'Z\u00fcrich', true],
      [{ is: 'C H' }, 'C\u00a0H', true],
      [{ is: 'CH' }, 'CHE', false],
    ] as const) {
      expect(isAlwaysReviewed(rule(when), asked(amount)), `${JSON.stringify(when)} ${amount}`).toBe(expected)
    }
    expect(isAlwaysReviewed([{ when: { group: 'vip' } }], { group: ' VIP' })).toBe(true)
    expect(isAlwaysReviewed([{ when: { group: 'vip' } }], { group: 'mail' })).toBe(false)
  })

  test('of a group apply to questions without one, unless the rule says that these are debated', () => {
    for (const group of [null, '', ' ']) {
      expect(isAlwaysReviewed([{ when: { group: 'vip' } }], { group })).toBe(true)
      expect(isAlwaysReviewed([{ when: { group: 'vip', blank: 'review' } }], { group })).toBe(true)
      expect(isAlwaysReviewed([{ when: { group: 'vip', blank: 'debate' } }], { group })).toBe(false)
    }
    expect(isAlwaysReviewed([{ when: { group: 'vip', blank: 'debate' } }], { group: 'VIP' })).toBe(true)
  })

  test('are shown by validate', async () => {
    const { stdout } = await commandFolder({ ...CONFIG, panel: { agents: [{ name: 'a', model: 'manual/a' }] } }).run([
      'validate',
    ])
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain('Rules always to a person: group vip; amount above 1000')
  })

  test('without a condition are refused with their position in the config', async () => {
    const job = commandFolder({ ...CONFIG, alwaysReview: [{ when: { field: 'amount' } }, { when: { grup: 'x' } }] })
    const { status, stderr } = await job.run(['validate'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/alwaysReview\[0\]\.when must be a map/u)
    expect(stderr).toMatch(/alwaysReview\[1\]\.when/u)
  })
})

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { commandFolder } from './command-folder.ts'

const CONFIG = {
  questions: { text: 'body', id: 'doc' },
  fields: {
    currency: {
      question: 'Which currency?',
      answers: { kind: 'labels', labels: { EUR: 'euro', USD: 'dollar' }, shuffle: false },
      beta: 0.08,
    },
    total: { question: 'What is the total?', answers: { kind: 'number' } },
    payer: { question: 'Who pays?', answers: { kind: 'text' }, gold: 'who', beta: 0.3, critical: false },
  },
  panel: {
    rounds: 1,
    beliefs: 'vote',
    agents: ['ada', 'bob'].map((name) => ({ name, model: `scripted/${name}.jsonl` })),
  },
  budget: { beta: 0.2, delta: 0.06 },
  review: { spotCheckRate: 0 },
}

const LABELLED = 200

/** The agents differ about the total of every fifth document, so that it waits for a person. */
function jobFolder(config: object = CONFIG) {
  const job = commandFolder(config)
  const isSplit = (row: number) => row % 5 === 0
  const rows = Array.from({ length: LABELLED + 50 }, (_, row) => {
    const gold = row < LABELLED ? ['EUR', '100', 'ann'] : ['', '', '']
    return [`d${row}`, `"=invoice ${row}${isSplit(row) ? ' smudged' : ''}"`, ...gold].join(',')
  })
  writeFileSync(job.at('invoices.csv'), `${['doc,body,currency,total,who', ...rows].join('\n')}\n`)
  for (const [name, smudged] of [
    ['ada', '100'],
    ['bob', '200'],
  ] as const) {
    const say = (answer: string) => ({ say: `<answer-{code}>${answer}</answer-{code}>` })
    const rules = [
      { when: 'Which currency?', ...say('EUR') },
      { when: 'Who pays?', ...say('Ann') },
      { when: 'smudged', ...say(smudged) },
      say('100'),
    ]
    writeFileSync(job.at(`${name}.jsonl`), rules.map((rule) => `${JSON.stringify(rule)}\n`).join(''))
  }
  return job
}

const rowsOf = (path: string) => parse(readFileSync(path), { columns: true }) as Record<string, string>[]

describe('several fields of one document', () => {
  test('one row in, one row out: a document is acted on if its critical fields are, and the union bound is printed', async () => {
    const job = jobFolder()
    const result = await job.run(['run', 'invoices.csv', '--out', 'decided.csv'])
    expect(result, result.stdout + result.stderr).toMatchObject({ status: 0 })
    const text = result.stdout.replaceAll(/\s+/gu, ' ')
    expect(text).toMatch(/Documents 250: 40 acted on, 10 with a critical field that waits for a person/u)
    expect(result.stdout.match(/^Review /gmu)).toHaveLength(1)
    expect(text).toMatch(
      /Review \d+ items wait for a person .* Next quorate serve --open review them in the app\. Then repeat this command, which asks/u,
    )
    // Each of the three certificates gets a third of delta 0.06, and 60 % of that is for beta. Two fields are critical.
    expect(text).toMatch(
      /With 97\.\d % confidence at most 20\.0 % of new documents .* wrong critical field \(8\.0 % currency \+ 12\.0 % total:/u,
    )
    const rows = rowsOf(job.at('decided.csv'))
    expect(rows).toHaveLength(250)
    expect(Object.keys(rows[0] ?? {}).slice(0, 8)).toEqual([
      ...['doc', 'body', 'currency', 'total', 'who', 'decision', 'reason', 'currency_decision'],
    ])
    expect(rows[0]).toMatchObject({ doc: 'd0', body: "'=invoice 0 smudged", decision: 'label', total_answer: '100' })
    expect(rows[201]).toMatchObject({
      decision: 'act',
      reason: '',
      currency_decision: 'act',
      currency_answer: 'EUR',
      total_decision: 'act',
      total_answer: '100',
      payer_answer: 'Ann',
    })
    expect(rows[200]).toMatchObject({
      decision: 'defer',
      reason: 'total',
      currency_decision: 'act',
      total_decision: 'defer',
    })

    const again = await job.run(['run', 'invoices.csv', '--out', 'again.csv', '--json'])
    expect(again.json()).toMatchObject({
      currency: { decided: 0, known: 50 },
      total: { decided: 0 },
      documents: { act: 40 },
    })
    expect(readFileSync(job.at('again.csv'), 'utf8')).toBe(readFileSync(job.at('decided.csv'), 'utf8'))
  })

  test('the certificate of a field for another panel is refused before any field is asked', async () => {
    const job = jobFolder()
    await job.run(['run', 'invoices.csv'])
    rmSync(job.at('certificate.currency.json'))
    const panel = { ...CONFIG.panel, rounds: 2 }
    job.configure('quorate.config.json', { ...CONFIG, panel })
    const { status, stderr } = await job.run(['run', 'invoices.csv'])
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^quorate: the panel is not the one that certificate\.total\.json was calibrated for \(/u),
    ])
    expect(existsSync(job.at('certificate.currency.json'))).toBe(false)
  })

  test('redact erases a document with all fields, and does not end well while their texts are left', async () => {
    const job = jobFolder()
    await job.run(['run', 'invoices.csv'])
    const bytes = () => readFileSync(job.at('.quorate/quorate.db'), 'latin1')
    expect(bytes()).toContain('invoice 200 smudged')
    const one = await job.run(['redact', 'd200'])
    expect([one.status, one.stdout]).toEqual([
      1,
      'The store has no text of "d200".\n' +
        'It has texts of 3 questions about its fields ("d200#currency", "d200#payer", "d200#total"): ' +
        '--fields erases them too.\n',
    ])
    expect((await job.run(['redact', 'd200#payer', '--json'])).json()).toMatchObject({ questionId: 'd200#payer' })
    const all = await job.run(['redact', 'd200', '--fields'])
    expect([all.status, all.stdout]).toEqual([
      0,
      expect.stringMatching(/^Erased the texts of "d200", "d200#currency", "d200#total" in \d+ rows\.\n$/u),
    ])
    expect(bytes()).not.toContain('invoice 200 smudged')
    expect(bytes()).toContain('invoice 20 smudged')
    const again = await job.run(['redact', 'd200', '--fields', '--json'])
    expect(again.json()).toMatchObject({ questionId: 'd200', erased: 0, left: [] })
  })

  test('contradictory settings and rows are refused with their position, before any call', async () => {
    const shown = await jobFolder().run(['validate'])
    const page = shown.stdout.replaceAll(/\s+/gu, ' ')
    expect(page).toMatch(/currency: beta 0\.08.*, delta 0\.02.* total: beta 0\.12.* payer \(not critical\): beta 0\.3/u)
    // There is no certificate for whole documents. The claim follows from two fields, each with 60 % of a third of delta 0.06.
    expect(page).toMatch(
      /Claim With 97\.6 % confidence at most 20\.0 % of new documents .* \(8\.0 % currency \+ 12\.0 % total:/u,
    )
    expect(page).not.toMatch(/of new questions/u)
    const facts = (await jobFolder().run(['validate', '--json'])).json()
    expect(facts).toMatchObject({ promise: null, documents: { confidence: expect.closeTo(0.976, 12) } })
    const fields = { ...CONFIG.fields, total: { ...CONFIG.fields.total, beta: 0.15 } }
    const dear = await commandFolder({ ...CONFIG, fields }).run(['validate'])
    expect(dear.stderr).toMatch(/budget\.beta must be at least 0\.23, the sum of its critical fields, got 0\.2/u)
    const none = await commandFolder({ ...CONFIG, fields: { payer: CONFIG.fields.payer } }).run(['validate'])
    expect(none.stderr).toMatch(/fields must be at least one critical field/u)
    const job = jobFolder()
    writeFileSync(job.at('bad.csv'), 'doc,body,currency,total,who\nd1,text,EUR,many,ann\n')
    const bad = await job.run(['run', 'bad.csv'])
    expect([bad.status, bad.stderr]).toEqual([
      1,
      expect.stringMatching(/bad\.csv: line 2, column 4: gold \("total"\) must be a number/u),
    ])
    const grader = { kind: 'model', model: 'scripted/ada.jsonl' }
    const graded = await jobFolder({ ...CONFIG, grader }).run(['validate'])
    // With a judge, 40 % of delta is for beta and 30 % for the error of the judge.
    expect(graded.stdout.replaceAll(/\s+/gu, ' ')).toMatch(
      /Claim With 97\.2 % confidence .* A model grades: what it calls right/u,
    )
    const decide = await job.run(['debate', 'invoices.csv'])
    expect([decide.status, decide.stderr]).toEqual([2, expect.stringMatching(/Use quorate run invoices\.csv/u)])
  })

  test.each([
    [
      'id',
      (tooLong: number) => `${'d'.repeat(991 + tooLong)},text`,
      'column 1: id ("doc") must be a text of at most 1000 characters together with "#currency", got 1001',
    ],
    [
      'question',
      (tooLong: number) => `d${tooLong},${'t'.repeat(199_983 + tooLong)}`,
      'column 2: question ("body") must be a text of at most 200000 characters together with the question of field currency, got 200001',
    ],
  ])(
    'a document whose %s becomes too long with the field is refused before any call',
    async (_, documentOf, expected) => {
      const job = jobFolder()
      const rows = [0, 1].map((tooLong) => `${documentOf(tooLong)},EUR,100,ann`)
      writeFileSync(job.at('long.csv'), `${['doc,body,currency,total,who', ...rows].join('\n')}\n`)
      const { status, stderr } = await job.run(['run', 'long.csv'])
      expect([status, stderr.replaceAll(/\s+/gu, ' ')]).toEqual([
        1,
        expect.stringContaining(`long.csv: line 3, ${expected}`),
      ])
      expect(existsSync(job.at('.quorate'))).toBe(false)
    },
  )
})

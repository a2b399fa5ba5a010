import { readFileSync, writeFileSync } from 'node:fs'
import { parse as parseCsv } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { csvLine } from '../../src/text/csv-text.ts'
import { commandFolder } from './command-folder.ts'

type Row = Readonly<Record<string, string>>
const parse = (text: string): readonly Row[] => parseCsv(text, { columns: true })
const stringify = (rows: readonly Row[]) =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((cells) => csvLine(cells)).join('')

const LABELLED = 300
const tagged = (say: string) => `<answer-{code}>${say}</answer-{code}>`
const lines = (rules: readonly object[]) => rules.map((rule) => `${JSON.stringify(rule)}\n`).join('')

const CONFIG = {
  answers: { kind: 'judged', model: 'scripted/judge.jsonl' },
  grader: { kind: 'model', model: 'scripted/grader.jsonl' },
  panel: {
    rounds: 1,
    beliefs: 'vote',
    agents: ['ada', 'bob'].map((name) => ({ name, model: `scripted/${name}.jsonl` })),
  },
  budget: { beta: 0.2 },
}

/** The panel is wrong about every tenth capital, and the grader accepts one wrong answer in thirty. */
function jobFolder() {
  const job = commandFolder(CONFIG)
  const wrong = (row: number) => row % 10 === 0
  const rows = Array.from({ length: LABELLED + 20 }, (_, row) => {
    const gold = row >= LABELLED ? '' : wrong(row) ? (row % 30 === 0 ? 'Nice' : 'Lyon') : 'Paris'
    return { id: `q${row}`, question: `Which city is meant in case ${row}?`, gold }
  })
  writeFileSync(job.at('cities.csv'), stringify(rows))
  writeFileSync(job.at('ada.jsonl'), lines([{ say: tagged('Paris') }]))
  writeFileSync(job.at('bob.jsonl'), lines([{ say: tagged('The city of Paris') }]))
  writeFileSync(job.at('judge.jsonl'), lines([{ say: tagged('same') }]))
  writeFileSync(job.at('grader.jsonl'), lines([{ when: 'Lyon', say: tagged('wrong') }, { say: tagged('right') }]))
  return job
}

describe('open answers that a model compares and a model grades', () => {
  test('certify nothing before people have graded a random sample, and name the next step', async () => {
    const job = jobFolder()
    const first = await job.run(['run', 'cities.csv', '--out', 'decided.csv'])
    expect(first.status, first.stdout).toBe(1)
    const [, runId = ''] = /quorate grade --run (\S+) --sample 200 --out regrade\.csv/u.exec(first.stderr) ?? []
    expect(first.stderr).toMatch(/a model graded 300 of these debates, and its error is part of the promise/u)

    const sampled = await job.run(['grade', '--run', runId, '--sample', '120', '--out', 'regrade.csv'])
    expect(sampled, sampled.stderr).toMatchObject({ status: 0 })
    expect(sampled.stdout).toMatch(/120 answers of 120 debates, a random sample/u)
    const sample = parse(readFileSync(job.at('regrade.csv'), 'utf8'))
    expect(Object.keys(sample[0] ?? {})).toEqual([
      'sample',
      'id',
      'question',
      'reference',
      'answer',
      'answer_text',
      'right',
    ])
    expect(sample[0]).toMatchObject({ sample: '120', answer: '1', answer_text: 'Paris', right: '' })

    const half = await job.run(['run', 'cities.csv', '--regrades', 'regrade.csv'])
    expect([half.status, half.stderr]).toEqual([1, expect.stringMatching(/120 rows have nothing in the column right/u)])

    const filled = sample.map((row) => ({ ...row, right: row['reference'] === 'Paris' ? 'Yes' : 'no' }))
    writeFileSync(job.at('short.csv'), stringify(filled.slice(1)))
    const short = await job.run(['run', 'cities.csv', '--regrades', 'short.csv'])
    expect(short.stderr).toMatch(/expected all 120 debates of the sample, got 119/u)
    // Somebody removed rows after seeing the sample. The store knows the sample, so this is refused.
    for (const kept of [filled.slice(0, 40), filled.slice(1)]) {
      const chosen = kept.map((row) => ({ ...row, sample: String(kept.length) }))
      writeFileSync(job.at('chosen.csv'), stringify(chosen))
      const cut = await job.run(['run', 'cities.csv', '--regrades', 'chosen.csv'])
      expect([cut.status, cut.stderr]).toEqual([
        1,
        expect.stringMatching(
          `expected all 120 debates of the sample, got ${kept.length}\\. ${120 - kept.length} are missing \\(first: "q\\d+"\\)`,
        ),
      ])
    }
    const smaller = await job.run(['grade', '--run', runId, '--sample', '40', '--out', 'regrade.csv'])
    expect(smaller.stderr).toMatch(/already has 120 debates and can only grow: expected --sample 120 or more, got 40/u)
    const more = [...filled, { ...filled[0], id: 'q299x' }].map((row) => ({ ...row, sample: '121' }))
    writeFileSync(job.at('more.csv'), stringify(more))
    const added = await job.run(['run', 'cities.csv', '--regrades', 'more.csv'])
    expect(added.stderr).toMatch(/the debate "q299x" is not in the sample/u)

    writeFileSync(job.at('regrade.csv'), stringify(filled))
    const done = await job.run(['run', 'cities.csv', '--regrades', 'regrade.csv', '--out', 'decided.csv'])
    expect(done, done.stdout + done.stderr).toMatchObject({ status: 0 })
    // The first command has paid for the 300 debates of two agents, their comparisons and their grades.
    expect(done.stdout).toMatch(/^Asked {6}0 calls/mu)
    expect(done.stdout).toMatch(/plus at most 0\.\d{4} that the\s+grading model\s+misses/u)
    const decided = parse(readFileSync(job.at('decided.csv'), 'utf8'))
    expect(decided[0]).toMatchObject({ id: 'q0', decision: 'label', answer: 'Nice' })
    const acted = decided.filter(({ decision }) => decision === 'act')
    expect(acted.length).toBeGreaterThan(0)
    expect(new Set(acted.map(({ answer }) => answer))).toEqual(new Set(['Paris']))
    const certificate = JSON.parse(readFileSync(job.at('certificate.json'), 'utf8'))
    expect(certificate.fingerprint.settings.judge).toContain('scripted/judge.jsonl')
    await job.run(['export', '--run', runId, '--what', 'bundle', '--out', 'run.bundle'])
    const verified = await job.run(['verify', 'run.bundle'])
    expect(verified, verified.stdout).toMatchObject({ status: 0 })

    // The sample of a file of debates is recorded beside the file.
    await job.run(['export', '--run', runId, '--what', 'debates', '--out', 'debates.jsonl'])
    const calibrate = ['calibrate', 'debates.jsonl', '--beta', '0.2', '--out', 'own.json']
    const unsampled = await job.run([...calibrate, '--regrades', 'regrade.csv'])
    expect(unsampled.stderr).toMatch(/no sample of these debates is recorded/u)
    await job.run(['grade', 'debates.jsonl', '--sample', '60', '--out', 'own.csv'])
    const own = parse(readFileSync(job.at('own.csv'), 'utf8')).map((row): Row => {
      return { ...row, right: row['reference'] === 'Paris' ? 'yes' : 'no' }
    })
    writeFileSync(job.at('cut.csv'), stringify(own.slice(0, 30).map((row) => ({ ...row, sample: '30' }))))
    const cut = await job.run([...calibrate, '--regrades', 'cut.csv'])
    expect(cut.stderr).toMatch(/expected all 60 debates of the sample, got 30/u)
    writeFileSync(job.at('own.csv'), stringify(own))
    const whole = await job.run([...calibrate, '--regrades', 'own.csv'])
    expect(whole, whole.stderr).toMatchObject({ status: 0 })

    // The debates may contain the grades of people for the whole sample or for all debates, but not for a single one.
    const right = new Map(own.map((row) => [row['id'], row['right'] === 'yes']))
    const debates = readFileSync(job.at('debates.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const write = (hasAudits: (id: string) => boolean) => {
      const audits = (id: string) => [{ round: 1, right: right.get(id) ?? true, by: 'person', answer: '1' }]
      const some = debates.map((each) => (hasAudits(each.id) ? { ...each, audits: audits(each.id) } : each))
      writeFileSync(job.at('debates.jsonl'), lines(some))
    }
    write((id) => id === own[0]?.['id'])
    const one = await job.run(calibrate)
    expect([one.status, one.stderr]).toEqual([
      1,
      expect.stringMatching(
        /graded 300 of these debates, and its error is part of the promise\. People graded 1 of them again, but these are not/u,
      ),
    ])
    for (const hasAudits of [(id: string) => right.has(id), () => true]) {
      write(hasAudits)
      const result = await job.run(calibrate)
      expect(result, result.stderr).toMatchObject({ status: 0 })
    }
  })

  test('a larger sample contains the smaller one with the grades that people wrote', async () => {
    const job = jobFolder()
    const { stderr } = await job.run(['run', 'cities.csv'])
    const [, runId = ''] = /--run (\S+) --sample/u.exec(stderr) ?? []
    await job.run(['grade', '--run', runId, '--sample', '10', '--out', 'regrade.csv'])
    const small = parse(readFileSync(job.at('regrade.csv'), 'utf8'))
    writeFileSync(job.at('regrade.csv'), stringify(small.map((row) => ({ ...row, right: 'cannot tell' }))))
    await job.run(['grade', '--run', runId, '--sample', '25', '--out', 'regrade.csv'])
    const large = parse(readFileSync(job.at('regrade.csv'), 'utf8'))
    expect(large.slice(0, 10).map(({ id, right }) => [id, right])).toEqual(small.map(({ id }) => [id, 'cannot tell']))
    expect(large.slice(10).map(({ right }) => right)).toEqual(Array.from({ length: 15 }, () => ''))
  })
})

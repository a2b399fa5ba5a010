import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commandFolder } from './command-folder.ts'

const CONFIG = {
  answers: { kind: 'labels', labels: { refund: 'wants money back', other: 'anything else' } },
  panel: { rounds: 1, beliefs: 'vote', agents: [{ name: 'ada', model: 'simulated/ada' }] },
  budget: { beta: 0.2 },
}

const HEAD = 'id,question,gold\nT-1,fine,refund\n'

describe('a file that cannot be read', () => {
  test.each<readonly [string, string | Uint8Array, RegExp]>([
    ['a row without text', `${HEAD}T-2,,\n`, /t\.csv: line 3, column 2: question must be/u],
    ['a label outside the set', `${HEAD}T-2,x,refnd\n`, /t\.csv: line 3, column 3: gold must be one of/u],
    [
      'two columns of one name',
      'id,question,question\nT-1,a,b\n',
      /line 1, column 3: every column must have a unique name/u,
    ],
    ['a cell of 2 MB', `${HEAD}T-2,${'x'.repeat(2e6)},\n`, /line 3, column 2: question must be a text of at most/u],
    [
      'broken UTF-8',
      Buffer.from([...Buffer.from(HEAD), 0x54, 0xff, 0x0a]),
      /line 3, character 2: expected text in UTF-8/u,
    ],
    ['a quote that is not closed', `${HEAD}T-2,"x\n`, /line 3, column 2: expected a closing "/u],
    ['a row that is too short', `${HEAD}T-2\n`, /line 3, column 2: the row must be of 3 cells/u],
    ['an id that comes twice', `${HEAD}T-1,x,\n`, /line 3, column 1: id must be a unique id: line 2/u],
  ])('%s: the message has line and column, nothing is written, and the exit code is 1', async (_, content, message) => {
    const job = commandFolder(CONFIG)
    writeFileSync(job.at('t.csv'), content)
    for (const [command, out] of [
      ['run', 'out.csv'],
      ['debate', 'out.jsonl'],
    ] as const) {
      const result = await job.run([command, 't.csv', '--out', out])
      expect([result.status, result.stdout]).toEqual([1, ''])
      expect(result.stderr).toMatch(message)
    }
    expect(readdirSync(job.folder).sort()).toEqual(['quorate.config.json', 't.csv'])
  })

  test('a message names the column of the file, the label closest to a wrong one, and each position once', async () => {
    const job = commandFolder({ ...CONFIG, questions: { id: 'nr', text: 'body', gold: 'label' } })
    for (const [file, content, message] of [
      [
        't.csv',
        'nr,body,label\n1,,\n',
        't.csv: line 2, column 2: question ("body") must be a text that is not blank, got nothing',
      ],
      [
        't.jsonl',
        '{"nr":"1","label":"refund"}\n',
        't.jsonl: line 1: question ("body") must be a text that is not blank, got nothing',
      ],
      ['t.csv', 'nr,body,label\n1,x,Refund\n', 'got "Refund". Did you mean "refund"?'],
      ['t.csv', 'nr,body,label\n1,"x,\n', 't.csv: line 2, column 2: expected a closing ", got the end of the file'],
      [
        't.csv',
        Buffer.from([0x6e, 0xff]),
        't.csv: line 1, character 2: expected text in UTF-8, got other bytes. Save the file as UTF-8',
      ],
    ] as const) {
      writeFileSync(job.at(file), content)
      const told = await job.run(['run', file])
      expect([told.status, told.stderr]).toEqual([1, expect.stringMatching(/^quorate: [^\n]+\n$/u)])
      expect(told.stderr.trimEnd().slice(-message.length)).toBe(message)
    }
  })

  test('an unknown kind of answers is refused with its position in the config', async () => {
    const job = commandFolder({ ...CONFIG, answers: { kind: 'lables' } })
    writeFileSync(job.at('t.csv'), HEAD)
    const result = await job.run(['run', 't.csv'])
    expect([result.status, result.stderr]).toEqual([
      1,
      expect.stringMatching(/config\.json:1:\d+: answers\.kind must be one of the kinds/u),
    ])
  })

  test('a label column with nearly the configured name is not treated as a file without labels', async () => {
    const job = commandFolder({ ...CONFIG, questions: { gold: 'lable' } })
    writeFileSync(job.at('t.csv'), 'id,question,Label\nT-1,fine,refund\n')
    writeFileSync(job.at('t.jsonl'), '{"id":"T-1","question":"fine","Label":"refund"}\n')
    writeFileSync(job.at('gold.csv'), HEAD)
    writeFileSync(job.at('far.csv'), 'id,question,kind\nT-1,fine,refund\n')
    for (const [file, message] of [
      [
        't.csv',
        /t\.csv: line 1: the column of gold must be a column of the header, got "lable"\. The header has "id", "question", "Label". Did you mean "Label"\?/u,
      ],
      [
        't.jsonl',
        /t\.jsonl: line 1: the field of gold must be "lable" .* got "id", "question", "Label". Did you mean "Label"\?/u,
      ],
      ['gold.csv', /the column of gold must be a column of the header, got "lable"/u],
      ['far.csv', /into a column "lable", which the file does not have \(it has "id", "question", "kind"\)/u],
    ] as const) {
      const result = await job.run(['run', file])
      expect([result.status, result.stderr]).toEqual([1, expect.stringMatching(message)])
    }
    expect(existsSync(job.at('certificate.json'))).toBe(false)
  })

  test('a certificate that is none is refused with the name of its file and the next step', async () => {
    const job = commandFolder(CONFIG)
    writeFileSync(job.at('t.csv'), HEAD)
    for (const [content, found] of [
      ['# a config', 'Unexpected token'],
      ['', 'Unexpected end of JSON input'],
      ['{}', 'loadCertificate: file must be a quorate certificate'],
    ] as const) {
      writeFileSync(job.at('other.yaml'), content)
      const { status, stderr } = await job.run(['decide', 't.csv', '--certificate', 'other.yaml'])
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/^quorate: other\.yaml cannot be used as a certificate: name the JSON file that "/u),
      ])
      expect(stderr).toMatch(/wrote, or make one with them\. It cannot be read: /u)
      expect(stderr).toContain(found)
      expect(stderr).not.toContain('not its path')
    }
  })

  test('a file whose every row is bad is refused with the number of rows and the first problem', async () => {
    const job = commandFolder(CONFIG)
    writeFileSync(job.at('t.csv'), `${HEAD.split('\n')[0]}\nT-2,,\nT-3,x,nope\n`)
    const { status, stderr } = await job.run(['run', 't.csv', '--skip-bad', 'bad.csv'])
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/got none but 2 rows that cannot be read\. The first one: t\.csv: line 2, column 2: /u),
    ])
  })

  test('bad rows are written once to the file of --skip-bad, and the others are processed', async () => {
    const agents = [{ name: 'ada', model: 'scripted/ada.jsonl' }]
    const job = commandFolder({ ...CONFIG, panel: { ...CONFIG.panel, agents } })
    writeFileSync(job.at('ada.jsonl'), `${JSON.stringify({ say: '<answer-{code}>other</answer-{code}>' })}\n`)
    const rows = Array.from({ length: 30 }, (_, row) => `T${row},text ${row},other\n`).join('')
    writeFileSync(job.at('t.csv'), `${HEAD}T-2,,\n${rows}T-3,x,nope\n`)
    const result = await job.run(['run', 't.csv', '--skip-bad', 'bad.csv'])
    expect(result.stderr.match(/2 rows could not be read and are left out/gu)).toHaveLength(1)
    const bad = readFileSync(job.at('bad.csv'), 'utf8').trim().split('\r\n')
    expect(bad).toHaveLength(3)
    expect(bad[1]).toMatch(/^T-2,,,3,/u)
    expect(existsSync(job.at('certificate.json'))).toBe(true)
  })
})

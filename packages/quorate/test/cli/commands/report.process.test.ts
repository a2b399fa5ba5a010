import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'
import { runMain } from '../run-main.ts'

let folder = ''
let debates = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-report-cli-'))
  debates = join(folder, 'my debates.jsonl')
  writeFileSync(
    debates,
    simulatePanel({ seed: 3, count: 200 })
      .map((debate) => JSON.stringify(debate))
      .join('\n'),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('quorate report', () => {
  test('writes the page and prints what to open, without the folders of this machine in the page', async () => {
    const out = join(folder, 'out')
    const { status, stdout, stderr } = await runMain([
      'report',
      debates,
      '--beta',
      '0.3',
      '--out',
      out,
      '--splits',
      '2',
    ])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toBe(
      `Wrote ${out}/report.html and 9 figures as SVG beside it.\nOpen ${out}/report.html in any browser. It needs no network.\n`,
    )
    const page = readFileSync(join(out, 'report.html'), 'utf8')
    expect(page).toContain('quorate report &#39;my debates.jsonl&#39; --beta 0.3 --splits 2')
    expect(page).not.toContain(folder)
  })

  test('prints the paths as JSON for machines', async () => {
    const out = join(folder, 'json')
    const { status, stdout } = await runMain([
      'report',
      debates,
      '--beta',
      '0.3',
      '--out',
      out,
      '--splits',
      '1',
      '--json',
      '--profile',
      'paper',
    ])
    expect(status).toBe(0)
    expect(JSON.parse(stdout).page).toBe(join(out, 'report.html'))
  })

  test.each([
    ['that the file is missing', ['report', '--beta', '0.1'], 'DEBATES.jsonl is missing', 2],
    ['that beta is missing', ['report', 'x.jsonl'], '--beta is missing', 2],
    ['which profiles there are', ['report', 'x.jsonl', '--beta', '0.1', '--profile', 'cels'], 'Did you mean cells?', 2],
    ['that a folder needs a name', ['report', 'x.jsonl', '--beta', '0.1', '--out='], '--out must name a folder', 2],
    [
      'that a file cannot be read',
      ['report', 'no-such-file.jsonl', '--beta', '0.1'],
      'cannot read no-such-file.jsonl',
      1,
    ],
  ])('reports %s', async (_claim, args, message, code) => {
    const { status, stdout, stderr } = await runMain(args)
    expect({ status, stdout }).toEqual({ status: code, stdout: '' })
    expect(stderr).toContain(message)
  })
})

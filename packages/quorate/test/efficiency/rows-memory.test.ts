import { once } from 'node:events'
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { expect, test, vi } from 'vitest'
import { csvLine } from '../../src/text/csv-text.ts'
import { startCommand } from '../run/provider-folder.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'

vi.setConfig({ testTimeout: 3 * 60 * 60_000 })

const ROWS = 100_000
const LABELLED = 300
const HEAP_MEGABYTES = 128

/** A file of 26 MB, most of whose rows a rule sends to a person: each is decided, stored, queued and written all the same. */
async function fill(folder: string): Promise<void> {
  const labels = { refund: 'wants money back', other: 'anything else' }
  const config = {
    answers: { kind: 'labels', labels, shuffle: false },
    alwaysReview: [{ when: { group: 'vip' } }],
    panel: { rounds: 1, beliefs: 'vote', agents: [{ name: 'ada', model: 'scripted/ada.jsonl' }] },
    budget: { beta: 0.2 },
  }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'ada.jsonl'), `${JSON.stringify({ say: '<answer-{code}>refund</answer-{code}>' })}\n`)
  const out = createWriteStream(join(folder, 'rows.csv'))
  out.write(csvLine(['id', 'group', 'question', 'gold']))
  for (let row = 0; row < ROWS; row++) {
    const group = row < LABELLED || row % 20 === 0 ? 'mail' : 'vip'
    const text = `case ${row}: ${'the parcel has not arrived, what now? '.repeat(6)}`
    if (!out.write(csvLine([`t${row}`, group, text, row < LABELLED ? 'refund' : '']))) await once(out, 'drain')
  }
  out.end()
  await finished(out)
}

async function linesOf(path: string): Promise<number> {
  let lines = 0
  for await (const _ of createInterface({ input: createReadStream(path) })) lines += 1
  return lines
}

test(`run, export and decide of ${ROWS} rows need a heap of ${HEAP_MEGABYTES} MB`, async () => {
  const folder = temporaryFolder()
  await fill(folder)
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` }
  for (const args of [
    ['run', 'rows.csv', '--out', 'decided.csv', '--json'],
    ['export', '--what', 'answers', '--out', 'answers.csv'],
    // One run over all rows, whose texts stay beside the heap.
    ['decide', 'rows.csv', '--certificate', 'certificate.json', '--allow-seen', '--out', 'again.csv', '--json'],
  ]) {
    const { child, output } = startCommand(folder, args, { env })
    const [code] = await once(child, 'close')
    expect({ args, code, output: output() }).toMatchObject({ code: 0 })
  }
  expect(await linesOf(join(folder, 'decided.csv'))).toBe(ROWS + 1)
  expect(await linesOf(join(folder, 'answers.csv'))).toBe(ROWS - LABELLED + 1)
  expect(await linesOf(join(folder, 'again.csv'))).toBe(ROWS + 1)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { CONFIG_DEFAULTS } from '../../src/config/defaults.ts'
import { SAMPLE_TICKETS } from '../../src/config/starter-files.ts'
import { drawTickets, recogniseTicket } from '../../src/simulated/tickets.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { runMain } from './run-main.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/guides/tickets.md'), 'utf8')
const [, COMMANDS = ''] = /```sh\n(npx quorate init[\s\S]*?)```/u.exec(GUIDE) ?? []
const [, TRANSCRIPT = ''] = /```text\n(Asked[\s\S]*?)```/u.exec(GUIDE) ?? []

const rowsOf = (path: string) => parse(readFileSync(path), { columns: true }) as readonly Record<string, string>[]

/** Spot checks are sampled with a secret key, so their calls and review items differ from run to run. */
const withoutSpotChecks = (text: string) => text.replaceAll(/1,\d+ calls|\d+ items/gu, 'some')

test('the first try of the guide needs no key, prints what the guide shows, and keeps its budget', async () => {
  let folder = temporaryFolder()
  let printed = ''
  for (const line of COMMANDS.trim().split('\n')) {
    const [program, ...words] = line.split(' ')
    if (program === 'cd') folder = join(folder, words.join(' '))
    else {
      const result = await runMain(words.slice(1), { cwd: folder, env: { XDG_CONFIG_HOME: folder } })
      expect(result, result.stderr).toMatchObject({ status: 0 })
      printed = result.stdout
    }
  }
  expect(withoutSpotChecks(printed)).toBe(withoutSpotChecks(TRANSCRIPT))
  const labelOf = new Map(
    drawTickets({ seed: CONFIG_DEFAULTS.seed, count: SAMPLE_TICKETS.rows }).map(({ body, right }) => [body, right]),
  )
  const decided = rowsOf(join(folder, 'decided.csv')).filter(({ decision }) => decision !== 'label')
  const acted = decided.filter(({ decision }) => decision === 'act')
  const wrong = acted.filter(({ body = '', answer }) => labelOf.get(body) !== answer)
  expect(decided).toHaveLength(SAMPLE_TICKETS.rows - SAMPLE_TICKETS.labelled)
  expect(acted.length).toBeGreaterThan(60)
  expect(wrong.length).toBeLessThanOrEqual(0.1 * decided.length)
})

test('a ticket is recognised by its words alone, and no other text is', () => {
  for (const ticket of drawTickets({ seed: 3, count: 200 })) {
    expect(recogniseTicket(`${ticket.body} refund: wants money back`)).toEqual(ticket)
  }
  for (const text of [
    '',
    'How do I clean the phone best',
    'How do I clean the cat best (order 12345)',
    '(order 12345)',
  ]) {
    expect(recogniseTicket(text)).toBeNull()
  }
})

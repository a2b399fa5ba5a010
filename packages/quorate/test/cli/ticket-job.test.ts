import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../src/panel/create-panel.ts'
import { processWorld } from '../../src/panel/process-world.ts'
import { createReviewService } from '../../src/review/create-review-service.ts'
import { startTicketProvider, ticketCsv, ticketLabel } from '../fake-provider/tickets.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { runMain } from './run-main.ts'

// Thousands of calls through a store on disk: slow on a loaded machine.
vi.setConfig({ testTimeout: 600_000 })

let provider: Awaited<ReturnType<typeof startTicketProvider>>
beforeAll(async () => {
  provider = await startTicketProvider()
})
afterAll(() => provider.close())

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/guides/tickets.md'), 'utf8')
/** The commands of the guide, without the name of the program. */
const [RUN = [], , EXPORT = []] = [...GUIDE.matchAll(/^quorate (.+)$/gmu)].map(([, words = '']) => words.split(' '))

/** The config of the guide, which has twelve lines. */
function configFor(url: string): string {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/u.exec(GUIDE) ?? []
  return yaml.replaceAll('http://127.0.0.1:8000/v1', url)
}

function jobFolder(count = 500, labelled = 300) {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  const config = configFor(provider.url)
  writeFileSync(at('quorate.config.yaml'), config)
  writeFileSync(at('tickets.csv'), ticketCsv(count, labelled))
  const env = { XDG_CONFIG_HOME: at('home') }
  return { at, config, run: (...args: readonly string[]) => runMain(args, { cwd: folder, env }) }
}

/** As a person with the keyboard would: take the next item, press the number of the right label. */
async function review(storePath: string, count: number): Promise<void> {
  const store = await openStore(`sqlite:${storePath}`)
  try {
    const { now, newId, newSalt } = processWorld()
    const reviews = createReviewService({
      ...{ store, now, newId, newSalt, lockMs: 60_000, undoMs: 0, maxClaims: 10 },
      evidenceOf: async () => null,
      messagesOf: () => [],
    })
    const who = { name: 'ana', kind: 'human', role: 'reviewer' } as const
    for (let done = 0; done < count; done++) {
      const next = await reviews.next(who)
      if (next.kind !== 'done' || next.value.item === null)
        throw new Error(`expected an item, got ${JSON.stringify(next)}`)
      const { id, question } = next.value.item
      const option = ticketLabel(Number(/\(case (\d+)\)/u.exec(question ?? '')?.[1]))
      const submitted = await reviews.submit(id, who, { outcome: { kind: 'option', option } })
      if (submitted.kind !== 'done') throw new Error(`expected a review, got ${JSON.stringify(submitted)}`)
    }
  } finally {
    await store.close()
  }
}

const rowsOf = (path: string, delimiter: string) =>
  parse(readFileSync(path), { columns: true, bom: true, delimiter }) as readonly Record<string, string>[]

describe('five hundred tickets and six labels', () => {
  test('from CSV to CSV in three commands and twelve lines, and again for nothing', async () => {
    const { at, config, run } = jobFolder()
    expect(config.trim().split('\n').length).toBeLessThanOrEqual(12)

    expect([RUN.join(' '), EXPORT.join(' ')]).toEqual([
      'run tickets.csv --out decided.csv',
      'export --what answers --out answers.csv',
    ])
    const first = await run(...RUN)
    expect(first, first.stdout + first.stderr).toMatchObject({ status: 0 })
    expect(first.stdout).toMatch(/^Calibrated on 300 labelled rows/mu)
    expect(first.stdout).toMatch(/^Decided +200 rows: \d+ acted on, \d+ deferred/mu)
    expect(first.stdout).toMatch(/^Review +\d+ items wait; review them with: quorate serve/mu)
    const decided = rowsOf(at('decided.csv'), ';')
    expect(decided).toHaveLength(500)
    expect(Object.keys(decided[0] ?? {})).toEqual([
      ...['ticket_id', 'channel', 'body', 'label', 'note'],
      ...['decision', 'answer', 'bound', 'threshold', 'reason', 'decision_id', 'review_id'],
    ])
    expect(decided.map(({ ticket_id }) => ticket_id)).toEqual(
      decided.map((_, row) => `T-${String(row).padStart(4, '0')}`),
    )
    expect(decided[0]).toMatchObject({ decision: 'label', answer: ticketLabel(0), note: "'-1" })
    const acted = decided.filter(({ decision }) => decision === 'act')
    const wrong = acted.filter(({ ticket_id, answer }) => answer !== ticketLabel(Number(ticket_id?.slice(2))))
    expect(acted.length).toBeGreaterThan(60)
    expect(wrong.length).toBeLessThanOrEqual(20)
    for (const { decision, review_id, answer } of decided) {
      expect(review_id === '').toBe(decision !== 'defer')
      expect(answer === '').toBe(decision === 'defer')
    }

    await review(at('.quorate/quorate.db'), 10)
    const exported = await run(...EXPORT)
    expect(exported).toMatchObject({ status: 0, stdout: 'Wrote 200 answers to answers.csv.\n' })
    const answers = rowsOf(at('answers.csv'), ',')
    expect(Object.keys(answers[0] ?? {})).toEqual([
      ...['id', 'ticket_id', 'channel', 'body', 'label', 'note'],
      ...['answer', 'by', 'reviewer', 'at', 'bound', 'decision_id'],
    ])
    const people = answers.filter(({ by }) => by === 'person')
    expect(people).toHaveLength(10)
    for (const { id, answer, reviewer } of people) {
      expect([answer, reviewer]).toEqual([ticketLabel(Number(id?.slice(2))), 'ana'])
    }
    expect(answers.filter(({ by, answer }) => by === '' && answer !== '')).toEqual([])

    const before = provider.requests()
    const file = readFileSync(at('decided.csv'), 'utf8')
    const again = await run('run', 'tickets.csv', '--out', 'decided.csv')
    expect(again.status).toBe(0)
    expect(again.stdout).toMatch(/^Known +200 rows decided before under this certificate: not asked again/mu)
    expect(again.stdout).toMatch(/^Decided +nothing: no row was left to decide, and nothing was spent/mu)
    expect(provider.requests()).toBe(before)
    expect(readFileSync(at('decided.csv'), 'utf8')).toBe(file)
    expect((await run('export', '--what', 'answers', '--format', 'jsonl')).stdout.trim().split('\n')).toHaveLength(200)

    const repeated = await run('run', 'tickets.csv', '--again', '--json')
    const facts = JSON.parse(repeated.stdout)
    expect(facts).toMatchObject({ decided: 200, known: 0 })
    expect(facts.superseded).toBeGreaterThan(0)
    // Stored answers cost nothing. Other rows are sampled for a spot check, and only those debate their last round now.
    expect(provider.requests() - before).toBeLessThan(150)
    expect((await run('export', '--what', 'answers', '--format', 'jsonl')).stdout.trim().split('\n')).toHaveLength(200)
  })

  test('goes on where it was stopped, also with more rows and with labels that came later', async () => {
    const { at, run } = jobFolder(100, 80)
    const capped = await run('run', 'tickets.csv', '--max-cost', '0.1')
    expect(capped.status).toBe(40)
    expect(capped.stdout).toMatch(/^Stopped +before the spend cap/mu)
    const whole = await run('run', 'tickets.csv')
    expect(whole.stdout + whole.stderr).toMatch(/^Decided +20 rows/mu)
    const used = provider.requests()
    writeFileSync(at('more.csv'), ticketCsv(105, 82))
    const more = await run('run', 'more.csv', '--json')
    const facts = JSON.parse(more.stdout)
    expect(facts).toMatchObject({ decided: 5, known: 18, labelled: 82, labelsKept: 2 })
    expect(provider.requests() - used).toBeLessThanOrEqual(30)
  })

  test('does not calibrate on rows that were labelled after a certificate had decided them', async () => {
    const { at, run } = jobFolder(320, 300)
    await run('run', 'tickets.csv')
    rmSync(at('certificate.json'))
    // Twenty labels of decided rows, and ten of rows that nobody has seen.
    writeFileSync(at('tickets.csv'), ticketCsv(330, 330))
    const again = await run('run', 'tickets.csv', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ calibratedOn: 310, labelled: 330, decided: 0 })
    expect(JSON.parse(readFileSync(at('certificate.json'), 'utf8')).budget.total.attempt).toBe(2)
  })

  test('calibrates on labels of rows that a certificate without any action has decided', async () => {
    const { at, run } = jobFolder(40, 20)
    expect((await run('run', 'tickets.csv')).status).toBe(20)
    rmSync(at('certificate.json'))
    writeFileSync(at('tickets.csv'), ticketCsv(40, 30))
    expect(JSON.parse((await run('run', 'tickets.csv', '--json')).stdout)).toMatchObject({ calibratedOn: 30 })
  })

  test('stops where the server is not there, and goes on once it is', async () => {
    const { at, config, run } = jobFolder(12, 10)
    const gone = await startTicketProvider()
    await gone.close()
    writeFileSync(at('quorate.config.yaml'), config.replaceAll(provider.url, gone.url))
    const stopped = await run('run', 'tickets.csv')
    expect(stopped).toMatchObject({ status: 1 })
    expect(stopped.stdout.replaceAll(/\s+/gu, ' ')).toMatch(
      /Stopped .*ECONNREFUSED.*Start the server.*The same command continues/u,
    )
    writeFileSync(at('quorate.config.yaml'), config)
    expect((await run('run', 'tickets.csv', '--json')).stdout).toContain('"calibratedOn":10')
  })

  test('says why no debate came to its end, and how to go on', async () => {
    const { at, config, run } = jobFolder(12, 10)
    const broken = createServer((_, response) => response.writeHead(500).end('{"error":{"message":"broken"}}'))
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void broken.close())
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/v1`
    writeFileSync(at('quorate.config.yaml'), `${config.replaceAll(provider.url, url)}limits: { attempts: 1 }\n`)
    const failed = await run('run', 'tickets.csv')
    expect(failed).toMatchObject({ status: 1 })
    expect(failed.stderr).toMatch(
      /every one of 10 debates failed.*agent \w+ failed.*repeat the command with --retry-errors/u,
    )
  })

  test('refuses another text under a known id, and a job without labels and certificate', async () => {
    const { at, run } = jobFolder(40, 30)
    writeFileSync(at('bare.csv'), ticketCsv(20, 0))
    const bare = await run('run', 'bare.csv')
    expect(bare).toMatchObject({ status: 1 })
    expect(bare.stderr).toContain('no row of bare.csv has a label to calibrate on')
    await run('run', 'tickets.csv')
    writeFileSync(at('other.csv'), ticketCsv(40, 30).replace('(case 39)', '(case 38)'))
    const other = await run('run', 'other.csv')
    expect(other).toMatchObject({ status: 1 })
    expect(other.stderr).toContain('the question "T-0039" was asked before with another text')
    const text = await run('run', 'tickets.csv', '--out', 'decided.txt')
    expect(text).toMatchObject({ status: 2, stderr: expect.stringContaining('ends in .csv or .jsonl') })
    const answer = await run('export', '--what', 'answer')
    expect(answer).toMatchObject({ status: 2, stderr: expect.stringContaining('did you mean answers?') })
  })
})

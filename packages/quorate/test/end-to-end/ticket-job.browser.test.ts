import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillTicketFolder, startTicketProvider, TICKET_COMMANDS, ticketLabel } from '../fake-provider/tickets.ts'
import { quorate, quorateAlone } from './quorate-folder.ts'
import { submitWithEnter } from './reviewing.ts'
import { describeForReal } from './stage.ts'

const [RUN = [], SERVE = [], EXPORT = []] = TICKET_COMMANDS
const REVIEWED = 10

/** The guide on tickets, as it is written. Each test goes on where the one before it stopped. */
describeForReal('five hundred tickets and six labels, from CSV to CSV', (stage) => {
  let provider: Awaited<ReturnType<typeof startTicketProvider>>
  let config = ''
  beforeAll(async () => {
    provider = await startTicketProvider()
    config = fillTicketFolder(stage().folder, provider.url, { count: 500, labelled: 300 })
  })
  afterAll(() => provider.close())

  const rowsOf = (name: string, delimiter: string) =>
    parse(readFileSync(join(stage().folder, name)), { columns: true, bom: true, delimiter }) as readonly Record<
      string,
      string
    >[]

  test('the job takes three commands and twelve lines', () => {
    expect(config.trim().split('\n').length).toBeLessThanOrEqual(12)
    expect([RUN, SERVE, EXPORT].map((words) => words.join(' '))).toEqual([
      'run tickets.csv --out decided.csv',
      'serve --certificate certificate.json --open',
      'export --what answers --out answers.csv',
    ])
  })

  test('the first command calibrates on the labelled rows, decides the others and says what waits', async () => {
    const printed = await quorateAlone(stage().folder, ...RUN)
    expect(printed).toMatch(/^Calibrated on 300 labelled rows/mu)
    expect(printed).toMatch(/^Decided +200 rows: \d+ acted on, \d+ deferred/mu)
    expect(printed).toMatch(/^Review +\d+ items wait for a person$/mu)
    const decided = rowsOf('decided.csv', ';')
    expect(Object.keys(decided[0] ?? {})).toEqual([
      ...['ticket_id', 'channel', 'body', 'label', 'note'],
      ...['decision', 'answer', 'bound', 'threshold', 'reason', 'decision_id', 'review_id'],
    ])
    expect(decided.map(({ ticket_id }) => ticket_id)).toEqual(
      Array.from({ length: 500 }, (_, row) => `T-${String(row).padStart(4, '0')}`),
    )
    expect(decided[0]).toMatchObject({ decision: 'label', answer: ticketLabel(0), note: "'-1" })
    const acted = decided.filter(({ decision }) => decision === 'act')
    const wrong = acted.filter(({ ticket_id, answer }) => answer !== rightAnswer(ticket_id))
    expect(acted.length).toBeGreaterThan(60)
    expect(wrong.length).toBeLessThanOrEqual(20)
    for (const { decision, review_id, answer } of decided) {
      expect(review_id === '').toBe(decision !== 'defer')
      expect(answer === '').toBe(decision === 'defer')
    }
  })

  test('ten reviews by keyboard on the page of the second command are answers of a person in the file of the third', async () => {
    const served = await stage().serve(...SERVE.slice(1).filter((word) => word !== '--open'))
    const { page, logged } = await stage().open(served, '#/review')
    for (let done = 0; done < REVIEWED; done++) {
      await pressRightLabel(page)
      await submitWithEnter(page)
    }
    expect(logged).toEqual([])
    expect(await served.stop()).toBe(0)

    expect(await quorate(stage().folder, ...EXPORT)).toBe('Wrote 200 answers to answers.csv.\n')
    const answers = rowsOf('answers.csv', ',')
    expect(Object.keys(answers[0] ?? {})).toEqual([
      ...['id', 'ticket_id', 'channel', 'body', 'label', 'note'],
      ...['answer', 'by', 'reviewer', 'at', 'bound', 'decision_id'],
    ])
    const people = answers.filter(({ by }) => by === 'person')
    expect(people).toHaveLength(REVIEWED)
    for (const { id, answer, reviewer } of people) expect([answer, reviewer]).toEqual([rightAnswer(id), 'local'])
    expect(answers.filter(({ by, answer }) => by === '' && answer !== '')).toEqual([])
  })

  test('the same commands again change nothing and cost nothing', async () => {
    const { folder } = stage()
    const files = () => ['decided.csv', 'answers.csv'].map((name) => readFileSync(join(folder, name), 'utf8'))
    const [requests, before] = [provider.requests(), files()]
    const printed = await quorate(folder, ...RUN)
    expect(printed).toMatch(/^Known +200 rows decided before under this certificate: not asked again/mu)
    expect(printed).toMatch(/^Decided +nothing: no row was left to decide, and nothing was spent/mu)
    await quorate(folder, ...EXPORT)
    expect(files()).toEqual(before)
    expect(provider.requests()).toBe(requests)
  })

  test('--again decides every row once more, withdraws older items and asks for little beyond stored answers', async () => {
    const { folder } = stage()
    const requests = provider.requests()
    const facts = JSON.parse(await quorate(folder, 'run', 'tickets.csv', '--again', '--json'))
    expect(facts).toMatchObject({ decided: 200, known: 0 })
    expect(facts.superseded).toBeGreaterThan(0)
    // Stored answers cost nothing. Other rows are sampled for a spot check, and only those debate their last round now.
    expect(provider.requests() - requests).toBeLessThan(150)
    const lines = await quorate(folder, 'export', '--what', 'answers', '--format', 'jsonl')
    expect(lines.trim().split('\n')).toHaveLength(200)
  })
})

/** As a person does who reads the ticket: looks for the right label and presses its number. */
async function pressRightLabel(page: Page): Promise<void> {
  await page.getByRole('radio').first().waitFor()
  const right = ticketLabel(Number(/\(case (\d+)\)/u.exec(await page.locator('.asked').innerText())?.[1]))
  const names = await page.locator('.option-list .choice-name').allInnerTexts()
  await page.keyboard.press(String(names.map((name) => name.trim()).indexOf(right) + 1))
  await page.locator('.choice.chosen').getByText(right, { exact: true }).waitFor()
}

function rightAnswer(id = ''): string {
  return ticketLabel(Number(id.slice(2)))
}

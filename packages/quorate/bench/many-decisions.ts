import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawTickets, recogniseTicket, type Ticket } from '../src/simulated/tickets.ts'
import { csvLine } from '../src/text/csv-text.ts'
import { startCommand } from '../test/run/provider-folder.ts'
import { ask } from '../test/server/ask.ts'
import { type Life, startLife } from '../test/server/faults/lives.ts'
import { copyDecisions } from './copy-decisions.ts'

const LABELLED = 400
const PERIODS = 3
const SERVED = 150
const SUSPENDED = 10
const BATCH = 2500
/** Of the review items, the share that people have answered. */
const ANSWERED = 0.9

/**
 * A store as months of work leave it: three periods with two suspensions between them, questions that the server was asked, a
 * long run of the command line, reviews and labels. Some thousand questions are decided by the real commands, then copied.
 */
export async function fillManyDecisions(folder: string, decisions: number): Promise<void> {
  const tickets = [...drawTickets({ seed: 7, count: LABELLED + PERIODS * (SERVED + SUSPENDED) + BATCH })]
  const take = (count: number) => tickets.splice(0, count)
  await command(folder, ['init', '.', '--preset', 'labels', '--yes'])
  writeRows(folder, 'labelled.csv', take(LABELLED), true)
  await command(folder, ['run', 'labelled.csv'])
  await servePeriods(folder, take)
  writeRows(folder, 'batch.csv', take(BATCH), false)
  await command(folder, ['run', 'batch.csv'])
  await review(folder)
  await copyDecisions(join(folder, '.quorate/quorate.db'), decisions)
}

async function command(folder: string, args: readonly string[]): Promise<void> {
  const { child, output } = startCommand(folder, args)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`quorate ${args.join(' ')} ended with ${code}: ${output()}`)
}

function writeRows(folder: string, name: string, tickets: readonly Ticket[], isLabelled: boolean): void {
  const rows = tickets.map(({ body, right }, at) => [`${name}-${at}`, 'mail', body, isLabelled ? right : ''])
  const head = ['ticket_id', 'channel', 'body', 'label']
  writeFileSync(join(folder, name), [head, ...rows].map((cells) => csvLine(cells)).join(''))
}

/** All but the last end with a suspension, during which questions come too. */
async function servePeriods(folder: string, take: (count: number) => readonly Ticket[]): Promise<void> {
  const server = await startLife(folder, ['--certificate', 'certificate.json'])
  for (let period = 1; period <= PERIODS; period++) {
    await decide(server, take(SERVED), `period-${period}`)
    if (period === PERIODS) break
    await post(server, '/v1/policy/suspend', { note: `The end of period ${period}.` })
    await decide(server, take(SUSPENDED), `suspended-${period}`)
    await post(server, '/v1/policy/release', { note: `The beginning of period ${period + 1}.` })
  }
  await server.stop()
}

async function decide(server: Life, tickets: readonly Ticket[], name: string): Promise<void> {
  await Promise.all(
    tickets.map(async ({ body }, at) => {
      const { id } = await post(server, '/v1/decisions', { id: `${name}-${at}`, question: body })
      await get(server, `/v1/decisions/${id}?wait=60`)
    }),
  )
}

async function review(folder: string): Promise<void> {
  const server = await startLife(folder)
  let left = Number.POSITIVE_INFINITY
  for (let done = 0; done < left; done++) {
    const { item, progress } = await post(server, '/v1/reviews/next', {})
    if (left === Number.POSITIVE_INFINITY) left = ANSWERED * progress.waiting
    const right = recogniseTicket(item.question)?.right
    await post(server, `/v1/reviews/${item.id}/submit`, { outcome: { kind: 'option', option: right } })
  }
  await server.stop()
}

async function post({ port }: Life, path: string, body: object) {
  return answerOf(path, await ask(port, path, { method: 'POST', body: JSON.stringify(body) }))
}

async function get({ port }: Life, path: string) {
  return answerOf(path, await ask(port, path))
}

function answerOf(path: string, { status, text }: { readonly status: number; readonly text: string }) {
  if (status < 200 || status > 299) throw new Error(`${path}: expected success, got ${status}: ${text}`)
  return JSON.parse(text)
}

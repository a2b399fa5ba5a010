import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { csvLine } from '../../src/text/csv-text.ts'

/** Six labels of support tickets, and what customers write who want that. */
export const TICKET_LABELS = {
  refund: 'wants money back',
  'bug report': 'reports a defect of the product',
  delivery: 'asks where a parcel is',
  account: 'cannot sign in, or wants to change data of the account',
  praise: 'is happy and wants nothing',
  other: 'none of these',
} as const

export type TicketLabel = keyof typeof TICKET_LABELS

const WORDS: Readonly<Record<TicketLabel, string>> = {
  refund: 'Please send my money back, the coat does not fit.',
  'bug report': 'The app closes whenever I open the map; is that known?',
  delivery: 'My parcel was to come on Monday; where is it?',
  account: 'I cannot sign in since I changed my telephone.',
  praise: 'Thank you, everything arrived and it is lovely.',
  other: 'Do you also have a shop in Vienna?',
}

/** How often each model is right about a ticket. */
export const TICKET_MODELS = { small: 0.85, middle: 0.89, large: 0.93 } as const

const NAMES = Object.keys(TICKET_LABELS) as readonly TicketLabel[]

/** A number in [0, 1) that follows from the words. */
function chance(...words: readonly unknown[]): number {
  return Number.parseInt(createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 13), 16) / 2 ** 52
}

export function ticketLabel(number: number): TicketLabel {
  return NAMES[Math.floor(chance('label', number) * NAMES.length)] ?? 'other'
}

/** Rows as an export of a help desk has them: semicolons, a byte order mark, more columns than are needed. */
export function ticketCsv(count: number, labelled: number): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const label = ticketLabel(at)
    const channel = chance('channel', at) < 0.1 ? 'vip' : 'mail'
    const body = `${WORDS[label]} (case ${at})`
    return csvLine([`T-${String(at).padStart(4, '0')}`, channel, body, at < labelled ? label : '', '-1'], ';')
  })
  return `\ufeff${csvLine(['ticket_id', 'channel', 'body', 'label', 'note'], ';')}${rows.join('')}`
}

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/guides/tickets.md'), 'utf8')
/** The three commands of the guide, without the name of the program. */
export const TICKET_COMMANDS = [...GUIDE.matchAll(/^quorate (.+)$/gmu)].map(([, words = '']) => words.split(' '))

/** Writes the config of the guide, with the provider at this address, and tickets; the config. */
export function fillTicketFolder(folder: string, url: string, size: { count: number; labelled: number }): string {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/u.exec(GUIDE) ?? []
  const config = yaml.replaceAll('http://127.0.0.1:8000/v1', url)
  writeFileSync(join(folder, 'quorate.config.yaml'), config)
  writeFileSync(join(folder, 'tickets.csv'), ticketCsv(size.count, size.labelled))
  return config
}

/** An OpenAI-compatible server whose models label tickets, each right as often as TICKET_MODELS says. */
export async function startTicketProvider() {
  let requests = 0
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += String(chunk)
    })
    request.on('end', () => {
      requests += 1
      const { model, messages } = JSON.parse(text) as { model: string; messages: { content: string }[] }
      const prompt = messages.map(({ content }) => content).join('\n')
      const content = answerTo(model, prompt)
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
      const usage = { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320 }
      const body = { id: 'x', object: 'chat.completion', created: 0, model, choices, usage }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: () => requests,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function answerTo(model: string, prompt: string): string {
  const number = Number(/\(case (\d+)\)/u.exec(prompt)?.[1] ?? 0)
  // A later round quotes the form of the round before.
  const code = [...prompt.matchAll(/<answer-([0-9a-f]{8})>/gu)].at(-1)?.[1] ?? ''
  const right = ticketLabel(number)
  const skill = TICKET_MODELS[model as keyof typeof TICKET_MODELS] ?? 0.5
  // Half of what makes a ticket hard is the same for all models.
  const luck = chance('luck', number) < 0.5 ? chance('shared', number) : chance(model, number)
  const wrong = NAMES.filter((name) => name !== right)
  const isRight = luck < skill
  const label = isRight ? right : wrong[Math.floor(chance('wrong', model, number) * wrong.length)]
  const confidence = Math.round(
    isRight ? 80 + 19 * chance('sure', model, number) : 45 + 45 * chance('sure', model, number),
  )
  return `<reasoning>The customer says so.</reasoning><answer-${code}>${label}</answer-${code}><confidence-${code}>${confidence}</confidence-${code}>`
}

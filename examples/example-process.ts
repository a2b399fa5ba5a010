import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { createClient, type Quorate, type Ticket, type Tickets } from './quorate-client.ts'

const ticketSchema = z.object({ id: z.string(), question: z.string(), options: z.record(z.string(), z.string()) })
const ticketsSchema = z.object({ acted: ticketSchema, deferred: ticketSchema })

/** What an agent finds when its process starts, whether for the first time or after a kill. */
export interface ExampleProcess {
  readonly quorate: Quorate
  /** A ticket that the panel acts on. */
  readonly acted: Ticket
  /** A ticket that waits for a person. */
  readonly deferred: Ticket
  readonly tickets: Tickets
  /** A file for what the framework stores while it waits. */
  readonly place: string
  /** Writes it whole or not at all. */
  store(state: string): void
  /** What was stored before the kill; null in the first process. */
  stored(): string | null
  /** Tells the test, which kills the process here. */
  report(word: 'waiting' | 'done'): void
}

/** In the folder that the test named, against the server that it started. */
export function exampleProcess(): ExampleProcess {
  const [folder = ''] = process.argv.slice(2)
  const { QUORATE_URL: url = '', QUORATE_TOKEN: token = '', STOP_AFTER_SETTLING: stops } = process.env
  const { acted, deferred } = ticketsSchema.parse(JSON.parse(readFileSync(join(folder, 'tickets.json'), 'utf8')))
  const place = join(folder, 'state')
  return {
    quorate: createClient({ url, token }),
    acted,
    deferred,
    tickets: {
      find: async (id) => (id === acted.id ? acted : deferred),
      async settle(id, answer) {
        appendFileSync(join(folder, 'attempts'), `${id}\n`)
        try {
          // The id of the ticket makes it once: where a real system takes an idempotency key, a file exists or it does not.
          writeFileSync(join(folder, `settled-${id}`), answer, { flag: 'wx' })
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
        }
        if (stops === undefined) return
        process.stdout.write('settled\n')
        await new Promise(() => setInterval(() => undefined, 60_000)) // until it is killed
      },
    },
    place,
    store(state) {
      writeFileSync(`${place}.new`, state)
      renameSync(`${place}.new`, place)
    },
    stored: () => (existsSync(place) ? readFileSync(place, 'utf8') : null),
    report(word) {
      process.stdout.write(`${word}\n`)
      if (word === 'waiting') setInterval(() => undefined, 60_000)
    },
  }
}

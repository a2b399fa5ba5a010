import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { createClient, type Quorate, type Ticket, type Tickets } from './quorate-client.ts'

const ticketSchema = z.object({ id: z.string(), question: z.string(), options: z.record(z.string(), z.string()) })
const ticketsSchema = z.object({ acted: ticketSchema, deferred: ticketSchema })

/** What a process of an example starts with, whether for the first time or after a kill. */
export interface ExampleProcess {
  readonly quorate: Quorate
  /** A ticket that the panel acts on. */
  readonly acted: Ticket
  /** A ticket that waits for a person. */
  readonly deferred: Ticket
  readonly tickets: Tickets
  /** Stores the state of the framework while it waits, atomically. */
  store(state: string): void
  /** The state that was stored before the kill; null in the first process. */
  stored(): string | null
  /** Notifies the test, which kills the process here. */
  report(word: 'waiting' | 'done'): void
}

/** Uses the folder and the server of the test, from the arguments and the environment. */
export function exampleProcess(): ExampleProcess {
  const [folder = ''] = process.argv.slice(2)
  const { QUORATE_URL: url = '', QUORATE_TOKEN: token = '', STOP_AFTER_SETTLING: stops } = process.env
  const { acted, deferred } = ticketsSchema.parse(JSON.parse(readFileSync(join(folder, 'tickets.json'), 'utf8')))
  const stateFile = join(folder, 'state')
  return {
    quorate: createClient({ url, token }),
    acted,
    deferred,
    tickets: {
      find: async (id) => (id === acted.id ? acted : deferred),
      async settle(id, answer) {
        appendFileSync(join(folder, 'attempts'), `${id}\n`)
        try {
          // The id of the ticket is the idempotency key. Here, a file that already exists means that the ticket is settled.
          writeFileSync(join(folder, `settled-${id}`), answer, { flag: 'wx' })
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
        }
        if (stops === undefined) return
        process.stdout.write('settled\n')
        await new Promise(() => setInterval(() => undefined, 60_000)) // until it is killed
      },
    },
    store(state) {
      writeFileSync(`${stateFile}.new`, state)
      renameSync(`${stateFile}.new`, stateFile)
    },
    stored: () => (existsSync(stateFile) ? readFileSync(stateFile, 'utf8') : null),
    report(word) {
      process.stdout.write(`${word}\n`)
      if (word === 'waiting') setInterval(() => undefined, 60_000)
    },
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { LoggedReply } from './chat-server.ts'

export interface ModelProcess {
  readonly url: string
  /** All replies so far, in the order in which they were made. */
  log(): readonly LoggedReply[]
  stop(): Promise<void>
}

const MAIN = join(import.meta.dirname, 'main.ts')

/** The server in a process of its own, with its log in `folder`. */
export async function startModelProcess(model: string, folder: string): Promise<ModelProcess> {
  const log = join(folder, 'server.jsonl')
  writeFileSync(log, '')
  const child = spawn(process.execPath, ['--conditions=quorate-source', MAIN, model, log], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)))
  ended.catch(() => undefined) // after it has said its address the end is no news
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  return {
    url: JSON.parse(line).url,
    log: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => JSON.parse(text)),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

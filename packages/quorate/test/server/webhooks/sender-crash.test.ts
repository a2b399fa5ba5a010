import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startReceiver } from './receiver.ts'

const folder = mkdtempSync(join(tmpdir(), 'quorate-sender-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SCRIPT = join(import.meta.dirname, 'sender-process.ts')
const KILLS = 5

test('messages of a process that is killed again and again all arrive, each under its one id', async () => {
  const receiver = await startReceiver((number) => ({ status: number % 4 === 0 ? 500 : 200 }))
  const accepted = new Set<string>()
  const carry = (kill: number) => {
    const later = String(kill * 3_600_000)
    const args = ['--conditions=quorate-source', SCRIPT, join(folder, 'store.db'), receiver.url, later]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.on('data', (chunk: Buffer) => {
      for (const id of chunk.toString().split('\n')) if (id !== '') accepted.add(id)
    })
    return { child, ended: new Promise((done) => child.on('close', done)) }
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, ended } = carry(kill)
    // At some point during its deliveries.
    await receiver.count(receiver.received.length + 1 + ((kill * 3) % 10))
    child.kill('SIGKILL')
    await ended
  }
  const { child, ended } = carry(KILLS)
  const arrived = () => new Set(receiver.received.map(({ headers }) => String(headers['quorate-delivery'])))
  while (arrived().size < 10 * (KILLS + 1)) await receiver.count(receiver.received.length + 1)
  child.kill('SIGKILL')
  await ended
  await receiver.close()
  expect([...accepted].filter((id) => !arrived().has(id))).toEqual([])
  const bodies = new Set(receiver.received.map(({ headers, body }) => `${headers['quorate-delivery']} ${body}`))
  expect(bodies.size).toBe(arrived().size)
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { AGENTS } from '../../runs/run-world.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { ask } from '../ask.ts'
import { verified } from './verified.ts'
import { calibrated, certifyInput, FRESH, inputOf } from './world.ts'

const BIN = resolve(import.meta.dirname, '../../../bin/quorate.js')
const KILLS = 4

interface Served {
  readonly child: ChildProcess
  readonly port: number
}

async function serve(folder: string): Promise<Served> {
  const args = ['--conditions=quorate-source', BIN, 'serve', '--port', '0', '--certificate', 'certificate.json']
  const child = spawn(process.execPath, [...args, '--allow-mismatch'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const port = await new Promise<number>((found, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const address = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)
        if (address !== null) found(Number(address[1]))
      })
    }
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}: ${said}`)))
  })
  return { child, port }
}

async function folderWith(certificate: string): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'certificate.json'), certificate)
  const agents = AGENTS.map((name) => ({ name, model: `simulated/${name}` }))
  const config = {
    panel: { rounds: 4, agents },
    budget: { beta: 0.2 },
    limits: { maxCostUsd: null },
    review: { spotCheckRate: 0.2 },
  }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(config))
  return folder
}

/** Null: the server was gone before it answered. */
async function post(port: number, path: string, body: unknown): Promise<{ status: number; json(): unknown } | null> {
  return ask(port, path, { method: 'POST', body: JSON.stringify(body) }).catch(() => null)
}

test('killed at random moments a server loses nothing that it accepted and decides nothing twice', async () => {
  const { certified, debates } = await calibrated()
  const folder = await folderWith(certified.file)
  const random = seededRandom(17)
  const accepted = new Map<string, string>()
  const certifiedAnswers = new Map<string, string>()
  for (let kill = 0; kill <= KILLS; kill++) {
    const { child, port } = await serve(folder)
    const isLast = kill === KILLS
    const killAfter = 5 + Math.floor(random() * 30)
    let answered = 0
    const heard = () => {
      answered += 1
      if (!isLast && answered === killAfter) child.kill('SIGKILL')
    }
    await Promise.all([
      ...FRESH.slice(0, 30).map(async (question) => {
        const answer = await post(port, '/v1/decisions', inputOf(question))
        if (answer === null) return
        expect(answer.status).toBe(202)
        const { id } = answer.json() as { id: string }
        expect(accepted.get(question.id) ?? id).toBe(id)
        accepted.set(question.id, id)
        heard()
      }),
      ...debates.slice(0, 30).map(async (debate) => {
        const answer = await post(port, '/v1/certify', certifyInput(debate, 4))
        if (answer === null) return
        expect([answer.status, answer.status === 200 ? null : answer.json()]).toEqual([200, null])
        const text = JSON.stringify(answer.json())
        expect(certifiedAnswers.get(debate.id) ?? text).toBe(text)
        certifiedAnswers.set(debate.id, text)
        heard()
      }),
    ])
    if (isLast) {
      for (const id of accepted.values()) {
        const view = (await ask(port, `/v1/decisions/${id}?wait=60`)).json() as { status: string }
        expect(view.status).toBe('decided')
      }
    }
    child.kill(isLast ? 'SIGTERM' : 'SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  expect([accepted.size, certifiedAnswers.size]).toEqual([30, 30])
  const store = openSqlite(join(folder, '.quorate/quorate.db'), { now: () => 0 })
  const runs = await store.runs.list(10)
  expect(runs).toHaveLength(2)
  for (const run of runs) expect(await verified(store, run.id)).toMatchObject({ kind: 'whole', decisions: 30 })
  await store.close()
})

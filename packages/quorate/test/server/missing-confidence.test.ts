import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { runCli } from '../cli/run-cli.ts'
import { ask } from './ask.ts'

const BIN = resolve(import.meta.dirname, '../../bin/quorate.js')
const folder = mkdtempSync(join(tmpdir(), 'quorate-missing-'))
const config = join(folder, 'quorate.config.yaml')
const certificate = join(folder, 'certificate.json')
let child: ChildProcess | undefined
let port = 0

interface Turn {
  readonly agent: string
  readonly answer: string | null
  readonly conf?: { readonly verbal: number } | null
  readonly beliefs?: Readonly<Record<string, number>> | null
}

interface Answer {
  readonly kind: string
  readonly path: readonly { readonly lower: number | null }[]
  readonly turns: { readonly answered: number; readonly missing: number; readonly renormalised: number }
}

const labelled = simulatePanel({ seed: 5, count: 1500 })
const fresh = simulatePanel({ seed: 6, count: 30 })

beforeAll(async () => {
  expect(runCli(['init', folder]).status).toBe(0)
  const debates = join(folder, 'debates.jsonl')
  writeFileSync(debates, labelled.map((debate) => `${JSON.stringify(debate)}\n`).join(''))
  const made = runCli(['calibrate', debates, '--beta', '0.3', '--out', certificate, '--config', config, '--json'])
  expect(made).toMatchObject({ status: 0, stderr: '' })
  expect(JSON.parse(made.stdout).reading).toMatchObject({ beliefs: 'stated', missing: 0, renormalised: 0 })
  child = spawn(process.execPath, ['--conditions=quorate-source', BIN, 'serve', '--port', '0'], { cwd: folder })
  port = await new Promise<number>((done, fail) => {
    let announced = ''
    child?.stdout?.on('data', (chunk: Buffer) => {
      announced += chunk.toString()
      const found = /http:\/\/[\w.]+:(\d+)\//.exec(announced)?.[1]
      if (found !== undefined) done(Number(found))
    })
    child?.once('exit', () => fail(new Error('the server did not start')))
  })
  const activated = await ask(port, `/v1/certificates/${idOf()}/activate`, { method: 'POST', body: '{"note":"tried"}' })
  expect(activated.status, activated.text).toBe(200)
})

afterAll(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

function idOf(): string {
  return JSON.parse(readFileSync(certificate, 'utf8')).checksum
}

/** Posts all rounds of each debate with its turns changed. */
async function certified(name: string, change: (turn: Turn) => object): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const { id, options, rounds } of fresh) {
    const changed = rounds.map((turns) => turns.map((turn) => change({ ...turn } as Turn)))
    const body = JSON.stringify({ certificate: idOf(), id: `${name}-${id}`, options, rounds: changed })
    const answer = await ask(port, '/v1/certify', { method: 'POST', body })
    expect(answer.status, answer.text).toBe(200)
    answers.push(answer.json() as Answer)
  }
  return answers
}

interface Monitor {
  readonly policy: { readonly state: string; readonly cause: string | null; readonly reason: string | null }
  readonly missing: { readonly isAlarm: boolean; readonly share: number | null; readonly limit: number | null } | null
}

async function monitor(): Promise<Monitor> {
  return (await ask(port, '/v1/monitor')).json() as Monitor
}

/** Each test begins with a policy that may act. */
beforeEach(async () => {
  if ((await monitor()).policy.state !== 'suspended') return
  const released = await ask(port, '/v1/policy/release', { method: 'POST', body: '{"note":"the next test"}' })
  expect(released.status, released.text).toBe(200)
})

describe('a certificate on stated confidences', () => {
  test('acts on debates that have them', async () => {
    const answers = await certified('whole', ({ agent, answer, conf = null }) => ({ agent, answer, conf }))
    expect(answers.filter(({ kind }) => kind === 'act').length).toBeGreaterThan(5)
    expect(answers.every(({ turns }) => turns.missing === 0)).toBe(true)
    // A view of the monitor is cached for a moment, so the earlier one may be returned first.
    await expect.poll(async () => (await monitor()).missing?.share).toBe(0)
    expect(await monitor()).toMatchObject({ policy: { state: 'live' }, missing: { isAlarm: false } })
  })

  test.each([
    ['none', {}],
    ['null', { conf: null }],
    ['empty', { conf: {} }],
    ['beliefs', { beliefs: { A: 1 } }],
    ['samples', { samples: ['A'] }],
  ])('acts on nothing where no agent states one: %s', async (name, fields) => {
    const answers = await certified(name, ({ agent }) => ({ agent, answer: 'A', ...fields }))
    expect(answers.filter(({ kind }) => kind === 'act')).toEqual([])
    for (const { turns, path } of answers) {
      expect(turns.missing).toBe(turns.answered)
      expect(path.every(({ lower }) => lower === null)).toBe(true)
    }
    await expect.poll(async () => (await monitor()).missing?.isAlarm).toBe(true)
    const { policy, missing } = await monitor()
    expect(missing?.share).toBeGreaterThan(missing?.limit ?? 1)
    expect(missing?.limit).toBeLessThan(0.02)
    expect(policy).toMatchObject({ state: 'suspended', cause: 'fingerprint' })
    expect(policy.reason).toContain('state no confidence')
  })

  test('refuses confidences, beliefs and samples that are none', async () => {
    const wrong = [
      ...['high', -0.1, 1.5, true, [0.9]].map((verbal) => ({ conf: { verbal } })),
      ...['high', 0.9].map((conf) => ({ conf })),
      ...[{ A: 0.5, B: 0.4 }, { A: -0.1, B: 1.1 }, { A: '1' }].map((beliefs) => ({ beliefs })),
      ...['A', [1], []].map((samples) => ({ samples })),
    ]
    const [debate] = fresh
    for (const fields of wrong) {
      const rounds = [debate?.rounds[0]?.map(({ agent }) => ({ agent, answer: 'A', ...fields }))]
      const body = JSON.stringify({ certificate: idOf(), id: 'wrong', options: debate?.options, rounds })
      const { status, text } = await ask(port, '/v1/certify', { method: 'POST', body })
      expect([400, 422], `${JSON.stringify(fields)} ${text}`).toContain(status)
    }
  })
})

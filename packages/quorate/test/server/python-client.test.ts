import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPython } from '../../../../tools/python.ts'
import { signatureOf } from '../../src/server/webhooks/deliver.ts'
import { samplePlan } from '../run/run-world.ts'
import { calibrated, certifyInput, FRESH, inputOf, serveWorld } from './deciding/world.ts'
import { modelWorld } from './openai/model-world.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const BUDGET = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
const RULES = [{ when: { field: 'amount', above: 1000 } }]
const document = readFileSync(new URL('../../../../docs/http.md', import.meta.url), 'utf8')
const [client = '', verifier = ''] = [...document.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
  ([, code]) => code ?? '',
)
const found = findPython()
if (found.kind === 'absent') process.stderr.write(`skipped: ${found.reason}\n`)
const FILE = new URL('../../../../clients/python/', import.meta.url).pathname
const [example = ''] = [
  ...readFileSync(new URL('../../../../docs/python.md', import.meta.url), 'utf8').matchAll(
    /^```python\n([\s\S]*?)^```$/gm,
  ),
].map(([, code]) => code ?? '')

function python(script: string, env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
    const child = spawn('python3', ['-c', script], {
      env: { ...process.env, PYTHONPATH: FILE, PYTHONDONTWRITEBYTECODE: '1', ...env },
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.on('close', (code) => resolve({ code, output }))
  })
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port // of a server that listens on a port
}

describe.skipIf(found.kind === 'absent')('the Python of docs/http.md', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ requiresToken: true })
  })
  afterAll(() => server.stop())

  test('decides a debate, asks the panel and reads a list, with the standard library only', async () => {
    const token = await server.token({ name: 'python', role: 'reviewer', kind: 'machine' })
    const { code, output } = await python(client, {
      QUORATE_URL: `http://127.0.0.1:${server.port}`,
      QUORATE_TOKEN: token,
    })
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
    expect(output.split('\n')[0]).toBe('act A None 0.97 against 0.95')
    expect(output).toContain("decided {'kind': 'act'")
    expect(server.lines.map(({ route, who }) => [route, who])).toEqual([
      ['/v1/certify', 'python'],
      ['/v1/decisions', 'python'],
      ['/v1/decisions/{id}', 'python'],
      ['/v1/debates', 'python'],
    ])
  })

  test('acts on a simulated panel as it stands: with the agents of its certificate and a question that they know', async () => {
    const { services, store } = await serveWorld()
    const real = await startTestServer({ services, store })
    const { code, output } = await python(client, { QUORATE_URL: `http://127.0.0.1:${real.port}` })
    await real.stop()
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
    expect(output).toMatch(/^act A None/m)
    expect(output).toContain("decided {'kind': 'act', 'answer': 'C'")
  })

  test('reports an error in the words of the problem', async () => {
    const { output } = await python(client, { QUORATE_URL: `http://127.0.0.1:${server.port}` })
    expect(output).toContain('RuntimeError: 401: A token is needed')
  })

  test('accepts a signed message, and none that was changed, signed by another, old or unreadable', async () => {
    const at = 1_700_000_000_000
    const body = JSON.stringify({ event: 'decision.acted', text: 'Grüße' })
    const header = signatureOf(body, { secret: 'the secret of both', at })
    const call = (secret: string, text: string, now: number) =>
      `print(is_from_quorate(${JSON.stringify(secret)}, "${header}", ${JSON.stringify(text)}.encode(), ${now}))`
    const script = [
      verifier,
      call('the secret of both', body, 1_700_000_010),
      call('the secret of both', body.replace('acted', 'ected'), 1_700_000_010),
      call('another secret of one', body, 1_700_000_010),
      call('the secret of both', body, 1_700_000_400),
      ...['', 't=x', `t=1700000000`, `${header},v1=00`, 'ü'].map(
        (other) => `print(is_from_quorate("the secret of both", ${JSON.stringify(other)}, b"{}", 1700000010))`,
      ),
    ].join('\n')
    expect((await python(script)).output.trim().split('\n')).toEqual(['True', ...Array(8).fill('False')])
  })
})

describe.skipIf(found.kind === 'absent')('the Python client', () => {
  async function world() {
    const served = await modelWorld()
    const env = { QUORATE_URL: `http://127.0.0.1:${served.server.port}`, QUORATE_TOKEN: served.token }
    const run = async (script: string, more: Readonly<Record<string, string>> = {}) => {
      const { code, output } = await python(`${PREPARED}\n${script}`, { ...env, ...more })
      expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
      return output.trim().split('\n')
    }
    return { ...served, env, run }
  }

  const PREPARED = [
    'import json, os',
    'from quorate import Deferred, Quorate, QuorateError',
    'panel = Quorate(os.environ["QUORATE_URL"], os.environ.get("QUORATE_TOKEN"))',
    'given = json.loads(os.environ.get("GIVEN", "null"))',
  ].join('\n')

  test('returns the answer of an action and raises Deferred for all others, the same when it is asked again', async () => {
    const { run, services } = await world()
    const asked = FRESH.slice(0, 8).map(inputOf)
    const script = `
for question in given * 2:
    try:
        print("act", panel.decide(question["question"], question["options"], id=question["id"], group=question["group"]))
    except Deferred as deferred:
        print("defer", deferred.reason, deferred.review_id, deferred)`
    const lines = await run(script, { GIVEN: JSON.stringify(asked) })
    const first = lines.slice(0, asked.length)
    expect(lines.slice(asked.length)).toEqual(first)
    const who = { name: 'claims', role: 'reviewer', kind: 'machine', isLocal: false } as const
    for (const [at, question] of asked.entries()) {
      const { decision, reviewId } = await services.decisions.ask(question, { who, idempotencyKey: null })
      const words = `${decision?.reason} ${reviewId} ${decision?.reasonText}`
      expect(first[at]).toBe(decision?.kind === 'act' ? `act ${decision.answer}` : `defer ${words}`)
    }
    expect(new Set(first.map((line) => line.split(' ')[0]))).toEqual(new Set(['act', 'defer']))
  })

  test('asks with a key once, certifies, lists and repeats the words of a refusal', async () => {
    const { run } = await world()
    const [question] = FRESH.map(inputOf)
    const [debate] = (await calibrated()).debates
    if (question === undefined || debate === undefined) throw new Error('no question')
    const script = `
question, debate = given
ids = {panel.ask(question["question"], question["options"], key="one")["id"] for _ in range(2)}
print(len(ids), panel.wait_for(ids.pop())["status"])
print(panel.certify(debate["id"], debate["options"], debate["rounds"])["kind"] in ("act", "continue", "defer"))
print(len(list(panel.debates(limit=1))) >= 1, all("id" in item for item in panel.reviews()))
try:
    panel.ask("", ["A"])
except QuorateError as error:
    print(error.status, error)
try:
    Quorate(os.environ["QUORATE_URL"], "wrong").decision("x")
except QuorateError as error:
    print(error.status)
try:
    panel.decision("none/../x")
except QuorateError as error:
    print(error.status)`
    const lines = await run(script, { GIVEN: JSON.stringify([question, certifyInput(debate, 1)]) })
    expect(lines.slice(0, 3)).toEqual(['1 decided', 'True', 'True True'])
    expect(lines[3]).toMatch(/^400 400: .*question must be .*options must be/)
    expect(lines.slice(4)).toEqual(['401', '404'])
  })

  test('sends the fields of a question and of a debate, which the rules of the config read', async () => {
    const declared = { budget: BUDGET, profile: 'cells' as const, deferGroups: [], alwaysReview: RULES }
    const plan = { panel: { ...samplePlan().panel, alwaysReview: RULES } }
    const settings = { budget: BUDGET, profile: 'cells' as const, spotCheckRate: 0, maxClaims: 10, seed: 7, declared }
    const { services, store } = await serveWorld({ plan, tools: { settings } })
    const server = await startTestServer({ services, store })
    const [debate] = (await calibrated()).debates
    if (debate === undefined) throw new Error('no debate')
    const script = `
questions, debate = given
for question, amount in zip(questions, [5000, 12]):
    asked = panel.ask(question["question"], question["options"], id=question["id"], fields={"amount": amount})
    print(panel.wait_for(asked["id"])["decision"]["reason"] == "always-review")
try:
    panel.decide(questions[2]["question"], questions[2]["options"], fields={"amount": 5000})
except Deferred as deferred:
    print(deferred.reason)
for id, amount in [("dear", 5000), ("cheap", 12)]:
    print(panel.certify(id, debate["options"], debate["rounds"], fields={"amount": amount})["reason"] == "always-review")`
    const { code, output } = await python(`${PREPARED}\n${script}`, {
      QUORATE_URL: `http://127.0.0.1:${server.port}`,
      GIVEN: JSON.stringify([FRESH.slice(0, 3).map(inputOf), certifyInput(debate, 1)]),
    })
    await server.stop()
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
    expect(output.trim().split('\n')).toEqual(['True', 'False', 'always-review', 'True', 'False'])
  })

  test('accepts a token with the line break of its file, and quotes none that cannot be sent', async () => {
    const { code, output } = await python(`
import quorate
assert quorate.Quorate(token="qt_secret\\n").token == "qt_secret"
assert quorate.Quorate(token="").token is None
quorate.Quorate(token="qt_sec\\nret")
`)
    expect(code).toBe(1)
    expect(output).toContain('ValueError: the token must be one word')
    expect(output.split('ValueError')[1]).not.toContain('qt_')
  })

  test('follows no redirect, which would carry its token to another server', async () => {
    const seen: (string | undefined)[] = []
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"decided","decision":null}')
    })
    const otherPort = await listening(other)
    const moved = createServer((_, response) => {
      response.writeHead(302, { location: `http://localhost:${otherPort}/v1/decisions/x` }).end()
    })
    const url = `http://127.0.0.1:${await listening(moved)}`
    const script = `${PREPARED}\ntry:\n    panel.decision("x")\nexcept QuorateError as error:\n    print(error.status)`
    const { output } = await python(script, { QUORATE_URL: url, QUORATE_TOKEN: 'qt_secret' })
    expect({ seen, output: output.trim() }).toEqual({ seen: [], output: '302' })
  })

  test('the example of docs/python.md runs as it stands', async () => {
    const { env } = await world()
    const { code, output } = await python(example, env)
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
    expect(output).toMatch(/^(act on C|a person must look)/)
  })
})

import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startFakeProvider } from '../../fake-provider/fake-provider.ts'
import { providerFolder, startCommand } from '../../run/provider-folder.ts'
import { simulatedQuestions } from '../../run/run-world.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { runMain } from '../run-main.ts'

function simulatedFolder(config: object = {}) {
  const folder = temporaryFolder()
  const agents = ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `simulated/${name}` }))
  const whole = { panel: { agents, rounds: 2 }, budget: { beta: 0.3 }, review: { spotCheckRate: 0.2 }, ...config }
  writeFileSync(join(folder, 'quorate.config.json'), JSON.stringify(whole))
  const write = (name: string, questions: ReturnType<typeof simulatedQuestions>) => {
    const lines = questions.map(({ options, ...question }) =>
      JSON.stringify({ ...question, options: Object.fromEntries(options.map(({ name: key, text }) => [key, text])) }),
    )
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  }
  write('labelled.jsonl', simulatedQuestions(150))
  write('fresh.jsonl', simulatedQuestions(15, { from: 150 }))
  const at = (name: string) => join(folder, name)
  const run = async (command: string, ...args: readonly string[]) => {
    const outcome = await runMain([command, ...args, '--config', at('quorate.config.json')])
    return { ...outcome, json: () => JSON.parse(outcome.stdout) }
  }
  return { at, run }
}

test('from questions to decisions that verify: debate, calibrate, decide, export, verify, redact, backup, import', async () => {
  const { at, run } = simulatedFolder()
  const debated = await run('debate', at('labelled.jsonl'), '--json', '--out', at('debates.jsonl'))
  expect(debated).toMatchObject({ status: 0 })
  expect(debated.json()).toMatchObject({ statuses: { done: 150, pending: 0 }, halt: null })
  const calibrated = await run('calibrate', '--run', debated.json().runId, '--out', at('certificate.json'))
  expect(calibrated).toMatchObject({ status: 0, stderr: '' })
  expect(calibrated.stdout).toMatch(
    /150 labelled debates of 2 rounds[\s\S]*Acts +on \d+ of the 98 debates kept for counting[\s\S]*wrong about at most 30 %/,
  )
  expect(calibrated.stdout).toMatch(/^Class +round \d, .* of \d+\s+right, at least 0\.\d+/m)
  expect(calibrated.stdout.replaceAll(/\s+/g, ' ')).toContain('always acting would meet this budget')
  expect(calibrated.stdout).toMatch(/^Labels +From 37 to 75 labels the share acted on changed by [+-][\d.]+ points/m)

  const seen = await run('decide', at('labelled.jsonl'), '--certificate', at('certificate.json'))
  expect(seen).toMatchObject({ status: 1, stderr: expect.stringContaining('150 questions were used for calibration') })
  const decided = await run(
    'decide',
    at('fresh.jsonl'),
    '--certificate',
    at('certificate.json'),
    '--json',
    '--fail-on-defer',
  )
  const { runId, head, acted, deferred } = decided.json()
  expect(decided.status).toBe(Object.keys(deferred).length > 0 ? 10 : 0)
  expect(acted).toBeGreaterThan(0)

  expect(await run('redact', 'simulated-00151')).toMatchObject({ status: 0, stdout: expect.stringContaining('Erased') })
  expect(await run('export', '--run', runId, '--what', 'bundle', '--out', at('bundle'))).toMatchObject({ status: 0 })
  expect(await runMain(['verify', at('bundle'), '--head', head])).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^Unchanged up to the head: \d+ rows of run \S+, 15 decisions recomputed with the same result/,
    ),
  })
  expect(await runMain(['verify', at('bundle')])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Consistent: .*\nThis does not show that the bundle is the original/),
  })
  const lines = readFileSync(at('bundle'), 'utf8').trimEnd().split('\n')
  writeFileSync(at('cut'), `${lines.slice(0, -1).join('\n')}\n`)
  expect(await runMain(['verify', at('cut')])).toMatchObject({
    status: 30,
    stdout: expect.stringContaining('missing at the end'),
  })

  expect(await run('backup', at('copy.db'))).toMatchObject({ status: 0 })
  expect((await run('import', at('debates.jsonl'), '--as', 'debates', '--json')).json()).toMatchObject({ debates: 150 })
})

describe('before any call', () => {
  test('--dry-run prints calls, tokens and cost, and creates no store', async () => {
    const { at, run } = simulatedFolder()
    const outcome = await run('debate', at('labelled.jsonl'), '--dry-run', '--json')
    expect(outcome.json()).toMatchObject({ questions: 150, calls: { low: 900, expected: 900, high: 1800 } })
    expect(() => readFileSync(at('.quorate/quorate.db'))).toThrow('ENOENT')
  })

  test('a spend cap with a model without a price is refused, and so is --resume without a run', async () => {
    const agents = [{ name: 'x', model: 'openai-compatible/x', baseURL: 'https://models.example/v1' }]
    const { at, run } = simulatedFolder({ panel: { agents } })
    const refused = await run('debate', at('labelled.jsonl'))
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('pass --allow-unpriced') })
    const none = await run('debate', at('labelled.jsonl'), '--allow-unpriced', '--resume')
    expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining('Leave out --resume to start one') })
  })
})

test('the spend cap exits with 40, Ctrl-C exits with 130, and --resume continues after both', async () => {
  const fake = await startFakeProvider({ latencyMs: 30 })
  const folder = providerFolder(fake.url, { questions: 12 })
  const debate = ['debate', 'questions.jsonl', '--trust-config', '--json']
  const capped = startCommand(folder, [...debate, '--max-cost', '0.1'])
  expect((await once(capped.child, 'exit'))[0], capped.output()).toBe(40)
  expect(capped.output()).toMatch(/"capMicroUsd":100000,"nextCallMicroUsd":[1-9]/)
  const { charged } = fake.counts()
  expect(10 * (charged.inputTokens + charged.outputTokens)).toBeLessThanOrEqual(0.1 * 1e6)

  const stopped = startCommand(folder, [...debate, '--resume'])
  const before = fake.counts().requests
  while (fake.counts().requests < before + 12) await new Promise((next) => setTimeout(next, 2))
  stopped.child.kill('SIGINT')
  expect((await once(stopped.child, 'exit'))[0], stopped.output()).toBe(130)

  const rest = startCommand(folder, [...debate, '--resume'])
  expect((await once(rest.child, 'exit'))[0], rest.output()).toBe(0)
  expect([...fake.byRequest().values()].every(({ answered }) => answered === 1)).toBe(true)
  await fake.close()
})

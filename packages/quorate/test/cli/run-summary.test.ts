import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nextSteps } from '../../src/cli/text/next-steps.ts'
import { type RunSummary, usdText } from '../../src/cli/text/run-text.ts'
import { simulatedQuestions } from '../run/run-world.ts'
import { commandFolder } from './command-folder.ts'

const AGENTS = ['ada', 'bob'].map((name) => ({ name, model: `simulated/${name}` }))
const CONFIG = { panel: { agents: AGENTS, rounds: 2 }, budget: { beta: 0.3 } }

/** A folder with four questions that simulated agents can debate. */
function simulated(config: object = CONFIG) {
  const made = commandFolder(config)
  made.ask('questions.jsonl', simulatedQuestions(4))
  return made
}

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('a debate reports its calls, cached answers, written files and the next step', async () => {
  const { run, at } = simulated()
  const first = await run(['debate', 'questions.jsonl', '--out', 'debates.jsonl'])
  expect(first.stdout).toMatch(/^Questions 4 of 4 debated$/m)
  expect(first.stdout).toMatch(/^Calls {5}\d+ answered \(\d+ asked\), 0 refused/m)
  expect(first.stdout).toMatch(/^Wrote {5}4 lines \(debates\) to debates\.jsonl$/m)
  const [, short = ''] = /^ {2}quorate calibrate --run (\S+) --out certificate\.json$/m.exec(first.stdout) ?? []
  expect(readFileSync(at('.quorate/.gitignore'), 'utf8')).toBe('*\n')

  const second = await run(['debate', 'questions.jsonl'])
  expect(second.stdout).toMatch(/answered \(0 asked, \d+ from the cache\)/)
  const left = await run(['debate', 'questions.jsonl', '--dry-run', '--resume', short, '--json'])
  expect(left.json(), left.stderr).toMatchObject({ questions: 0, calls: { high: 0 } })

  const listed = await run(['export', '--list'])
  expect(listed.stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(listed.stdout).toMatch(/^[0-9a-f-]{36} {2}debate .* 4 {2}done$/m)
  const again = await run(['export', '--run', short, '--out', 'again.jsonl'])
  expect(again).toMatchObject({ status: 0, stdout: 'Wrote 4 lines (debates) to again.jsonl.\n' })
  const vague = await run(['export', '--run', short.slice(0, 4), '--out', 'again.jsonl'])
  expect(vague.stderr).toContain(`several runs begin with "${short.slice(0, 4)}"`)
})

test('the next commands name the config and the store that were given', async () => {
  const { run, at, ask } = simulated()
  writeFileSync(at('other.yaml'), readFileSync(at('quorate.config.json')))
  const given = ['--config', 'other.yaml', '--store', 'sqlite:x.db']
  const end = / --config other\.yaml --store sqlite:x\.db( --open)?$/
  const [, debated = ''] = (await run(['debate', 'questions.jsonl', ...given])).stdout.split('Next\n')
  expect(debated.trim()).toMatch(end)
  const calibrate = debated.trim().split(' ').slice(1)
  const calibrated = await run(calibrate)
  expect(calibrated.status).toBe(20)
  expect(calibrated.stdout.trim()).toMatch(end)
  const planned = await run(calibrated.stdout.trim().split('\n').at(-1)?.trim().split(' ').slice(1) ?? [])
  expect(planned.stdout + planned.stderr).not.toContain('there is no run')
  unlinkSync(at('certificate.json'))
  ask(
    'more.jsonl',
    simulatedQuestions(6).map((question, index) => (index < 4 ? question : { ...question, gold: null })),
  )
  const { stdout } = await run(['run', 'more.jsonl', ...given])
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining([
      '  quorate serve --certificate certificate.json --config other.yaml --store sqlite:x.db --open',
      '  quorate export --what answers --out answers.csv --config other.yaml --store sqlite:x.db',
    ]),
  )
})

test('no model is called if --out cannot be written', async () => {
  const { run, at } = simulated()
  const refused = await run(['debate', 'questions.jsonl', '--out', 'none/x.jsonl'])
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toBe('quorate: cannot write none/x.jsonl: there is no such file or folder\n')
  expect(existsSync(at('.quorate'))).toBe(false)
  mkdirSync(at('folder'))
  expect((await run(['debate', 'questions.jsonl', '--out', 'folder'])).stderr).toContain('it is a folder')
})

test('answers that cannot be read are counted by agent, with an example', async () => {
  const agents = [
    { name: 'mute', model: 'scripted/mute.jsonl' },
    { name: 'sure', model: 'scripted/sure.jsonl' },
  ]
  const { run, at } = simulated({ ...CONFIG, panel: { agents, rounds: 1 } })
  writeFileSync(at('mute.jsonl'), '{"say": "I would rather not say."}\n')
  writeFileSync(
    at('sure.jsonl'),
    '{"say": "<answer-{code}>A</answer-{code}><confidence-{code}>80</confidence-{code}>"}\n',
  )
  const outcome = await run(['debate', 'questions.jsonl'])
  const line = outcome.stdout.replace(/\n {10}/g, ' ')
  expect(line, outcome.stderr).toMatch(
    /^Unread {4}4 of 8 answers could not be read, even after a reminder \(mute 4\), such as "I would/m,
  )
  expect((await run(['debate', 'questions.jsonl', '--json'])).json()).toMatchObject({
    answers: { answers: 8, unreadable: 4, byAgent: { mute: 4 } },
  })
})

test('a server that is down is reported with the cause and the next step, even by a later --resume', async () => {
  const port = await closedPort()
  const agents = [{ name: 'x', model: 'openai-compatible/x', baseURL: `http://127.0.0.1:${port}/v1` }]
  const limits = { attempts: 1, maxCostUsd: null }
  const { run } = simulated({ ...CONFIG, panel: { agents, rounds: 1 }, limits })
  for (const more of [[], ['--resume']]) {
    const outcome = await run(['debate', 'questions.jsonl', ...more])
    expect(outcome.status).toBe(1)
    expect(outcome.stdout).toContain('0 of 4 debated, 4 left')
    expect(outcome.stdout.replace(/\s+/g, ' ')).toContain(`ECONNREFUSED 127.0.0.1:${port}`)
    expect(outcome.stdout).toContain('  quorate debate questions.jsonl --resume\n')
  }
})

test('a backup creates its folder, and needs no config with --store', async () => {
  const { run, folder } = simulated()
  await run(['debate', 'questions.jsonl'])
  expect((await run(['backup', 'backups/monday.db'])).status).toBe(0)
  const bare = commandFolder(CONFIG)
  const store = ['--store', `sqlite:${join(folder, 'backups/monday.db')}`]
  const env = { QUORATE_CONFIG: '' }
  unlinkSync(bare.at('quorate.config.json'))
  const copied = await bare.run(['backup', 'copy.db', ...store, '--json'], env)
  expect(copied.json(), copied.stderr).toMatchObject({ file: bare.at('copy.db') })
  const wrong = await bare.run(['backup', 'other.db', '--store', 'sqlite:none.db'], env)
  expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('there is no store') })
  expect(existsSync(bare.at('none.db'))).toBe(false)
})

test('a run at its cap reports what is left of it, and the next step is a larger cap', () => {
  const statuses = { pending: 2, done: 1, 'agent-failure': 0, 'time-out': 0, error: 0 }
  const result = {
    runId: '0198c0de-0000-7000-8000-000000000000',
    kind: 'debate',
    isShadow: false,
    halt: 'spend-cap',
    tally: { questions: 3, statuses, acted: 0, deferred: {} },
    capMicroUsd: 12_000,
    nextCallMicroUsd: 30_000,
    spend: { committedMicroUsd: 1_400, reservedMicroUsd: 0 },
  } as unknown as RunSummary // only what next steps look at
  const request = { path: 'my claims.csv', flags: new Map([['config', 'a.yaml']]), columns: { id: 'Case' } }
  expect(nextSteps(request, result)).toBe(
    "\nNext\n  quorate debate 'my claims.csv' --map id=Case --config a.yaml --resume --max-cost 0.032\n",
  )
  expect(usdText(1_400)).toBe('0.0014 USD')
})

test('after a run that deferred something the next step is its review', () => {
  const statuses = { pending: 0, done: 3, 'agent-failure': 0, 'time-out': 0, error: 0 }
  const result = {
    runId: '0198c0de-0000-7000-8000-000000000000',
    kind: 'decide',
    isShadow: false,
    halt: null,
    tally: { questions: 3, statuses, acted: 2, deferred: { 'bound-low': 1 } },
  } as unknown as RunSummary // only what next steps look at
  const request = {
    path: 'tickets.csv',
    flags: new Map([['certificate', 'my certificate.json']]),
    columns: undefined,
  }
  expect(nextSteps(request, result)).toBe(
    "\nNext\n  quorate serve --certificate 'my certificate.json' --open\n" +
      '  quorate export --run 0198c0de-0000 --what decisions --out decisions.jsonl\n',
  )
  expect(nextSteps(request, { ...result, isShadow: true })).not.toContain('serve')
})

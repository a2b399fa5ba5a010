import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { simulatedQuestions } from '../../run/run-world.ts'
import { commandFolder } from '../command-folder.ts'

const AGENTS = ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `simulated/${name}`, temperature: 0.7 }))
const CONFIG = { panel: { agents: AGENTS, rounds: 2 }, budget: { beta: 0.3 }, review: { spotCheckRate: 0 } }
const DECIDE = ['decide', 'fresh.jsonl', '--certificate', 'certificate.json'] as const

async function calibrated(labelled: number) {
  const folder = commandFolder(CONFIG)
  folder.ask('labelled.jsonl', simulatedQuestions(labelled))
  folder.ask('fresh.jsonl', simulatedQuestions(6, { from: 120 }))
  const debated = await folder.run(['debate', 'labelled.jsonl', '--json'])
  expect(debated.status, debated.stderr).toBe(0)
  await folder.run(['calibrate', '--run', debated.json().runId, '--out', 'certificate.json'])
  return folder
}

test('another budget or another panel is reported before any call, and an override leaves no promise', async () => {
  const folder = await calibrated(120)
  const other = await folder.run([...DECIDE, '--beta', '0.1'])
  expect(other).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('was made for beta 0.3') })
  expect(other.stderr.replaceAll(/\s+/g, ' ')).toContain('--beta 0.3 --delta 0.05 --floor 0.7 --promise pac')

  const kept = await folder.run([...DECIDE, '--epsilon', '0.01', '--json'])
  expect(kept.json(), kept.stderr).toMatchObject({ isPromised: true, mismatch: [] })
  expect(JSON.stringify(kept.json()['claim'])).toContain('wrong about at most 30 % of new questions')

  const panel = { ...CONFIG.panel, agents: AGENTS.map((agent) => ({ ...agent, temperature: 0.2 })) }
  folder.configure('quorate.config.json', { ...CONFIG, panel })
  const deferred = (await folder.run(DECIDE)).stdout.replaceAll(/\s+/g, ' ')
  expect(deferred).toMatch(/settings of agent ada: calibrated temperature 0.7, [^:]*, here temperature 0.2, /)
  expect(deferred).toContain('6 deferred (uncalibrated 6)')
  expect(deferred).toContain('No promise: the panel is not the calibrated one (settings differ)')
  const allowed = await folder.run([...DECIDE, '--allow-mismatch', '--json'])
  expect(allowed.json()).toMatchObject({ isPromised: false, claim: [expect.stringMatching(/^No promise: /)] })
  expect(allowed.json()['acted']).toBeGreaterThan(0)
})

test('with a certificate that cannot act, decide debates only spot checks, reports it and exits with 20', async () => {
  const folder = await calibrated(10)
  const result = await folder.run([...DECIDE, '--json'])
  expect(result.status, result.stderr).toBe(20)
  expect(result.json()).toMatchObject({
    acted: 0,
    deferred: { 'too-few-labels': 6 },
    spend: { calls: { answered: 0 } },
  })
  const checked = await folder.run([...DECIDE, '--spot-check-rate', '1'])
  expect(checked.status, checked.stderr).toBe(20)
  const text = checked.stdout.replaceAll(/\s+/g, ' ')
  expect(text).toContain('This certificate cannot act on anything')
  expect(text).toContain('except about 6 sampled for a spot check')
  const [, runId = ''] = /^Run +(\S+)$/m.exec(checked.stdout) ?? []
  await folder.run(['export', '--run', runId, '--what', 'bundle', '--out', 'bundle'])
  const verified = await folder.run(['verify', 'bundle'])
  expect(verified.stdout).toMatch(/^Consistent: .* 6 decisions/)
})

test('debates in which several models answered for one agent are refused with counts, unless --mixed-models accepts them', async () => {
  const folder = commandFolder(CONFIG)
  const turn = (agent: string, served: string) => ({ agent, answer: 'A', conf: { verbal: 0.9 }, served: [served] })
  const lines = Array.from({ length: 40 }, (_, row) => {
    const rounds = [[turn('ada', 'ada'), turn('bob', row < 38 ? 'm-1' : 'm-2')]]
    return JSON.stringify({ id: `${row}`, options: ['A', 'B'], gold: row % 3 === 0 ? 'B' : 'A', rounds })
  })
  writeFileSync(folder.at('debates.jsonl'), `${lines.join('\n')}\n`)
  const calibrate = ['calibrate', 'debates.jsonl', '--out', 'certificate.json']
  const refused = await folder.run(calibrate)
  const words = refused.stderr.replaceAll(/\s+/g, ' ')
  expect(refused.status).toBe(1)
  expect(words).toContain('"m-1" in 38 (debates 1 to 38 of those used), by "m-2" in 2 (debates 39 to 40 of')
  expect(words).toContain('--mixed-models')
  const taken = await folder.run([...calibrate, '--mixed-models'])
  expect(taken.stdout.replaceAll(/\s+/g, ' '), taken.stderr).toContain(
    'Models mixed: bob was answered by m-1 in 38 debates and by m-2 in 2 debates',
  )
  const { fingerprint } = JSON.parse(readFileSync(folder.at('certificate.json'), 'utf8'))
  expect(fingerprint.mixed).toEqual({ bob: { 'm-1': 38, 'm-2': 2 } })
})

test('--dry-run refuses a certificate with the same message as the real run, and estimates without one', async () => {
  const folder = await calibrated(120)
  rmSync(folder.at('.quorate'), { recursive: true })
  const good = readFileSync(folder.at('certificate.json'), 'utf8')
  const damages: Readonly<Record<string, string>> = {
    cut: good.slice(0, good.length / 2),
    changed: good.replace('"beta":0.3', '"beta":0.2'),
    'of another method': JSON.stringify({ ...JSON.parse(good), methodVersion: 99 }),
    empty: '',
  }
  for (const [name, text] of Object.entries(damages)) {
    writeFileSync(folder.at('certificate.json'), text)
    const real = await folder.run(DECIDE)
    expect(real, name).toMatchObject({ status: 1, stdout: '' })
    expect(await folder.run([...DECIDE, '--dry-run']), name).toMatchObject({
      status: 1,
      stdout: '',
      stderr: real.stderr,
    })
  }
  writeFileSync(folder.at('certificate.json'), good)
  const refusals = [
    [...DECIDE, '--beta', '0.1'],
    ['decide', 'labelled.jsonl', '--certificate', 'certificate.json'],
    ['decide', 'fresh.jsonl', '--certificate', 'none.json'],
  ]
  for (const args of refusals) {
    const real = await folder.run(args)
    expect(real).toMatchObject({ status: 1, stdout: '' })
    expect(await folder.run([...args, '--dry-run'])).toMatchObject({ status: 1, stdout: '', stderr: real.stderr })
  }
  expect(await folder.run([...DECIDE, '--dry-run'])).toMatchObject({ status: 0, stderr: '' })
  expect(await folder.run(['decide', 'fresh.jsonl', '--dry-run'])).toMatchObject({ status: 0, stderr: '' })
  expect(existsSync(folder.at('.quorate'))).toBe(false)
})

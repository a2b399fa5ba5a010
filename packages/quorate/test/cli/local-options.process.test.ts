import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { simulatedQuestions } from '../run/run-world.ts'
import { commandFolder } from './command-folder.ts'

const AGENTS = ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `simulated/${name}` }))
const LOCAL = {
  profile: 'paper',
  envelope: 'holder:0.2,0.5',
  smoother: 'isotonic',
  rho: 1.25,
  concentration: 'clopper-pearson',
  state: 'paper-1d',
  kFamily: [32, 64],
}
const BUDGET = { beta: 0.3, delta: 0.03, epsilon: 0.02, deltaOmega: 0.01 }

function folderWith(certificate: object, budget: object = BUDGET) {
  const panel = { agents: AGENTS, rounds: 2 }
  return commandFolder({ panel, budget, certificate, review: { spotCheckRate: 0 }, limits: { maxCostUsd: null } })
}

const optionsOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('options of the profiles tight and paper', () => {
  test('of a config are in the certificate, apply to its decisions, and verify recomputes every decision', async () => {
    const { at, ask, run, configure } = folderWith(LOCAL)
    ask('labelled.jsonl', simulatedQuestions(300))
    ask('questions.jsonl', simulatedQuestions(320).slice(300))
    const debated = await run(['debate', 'labelled.jsonl', '--json'])
    const { runId } = debated.json()
    const made = await run(['calibrate', '--run', String(runId), '--out', 'certificate.json'])
    expect(made.stdout.replace(/\s+/g, ' '), made.stderr).toContain(
      'Options envelope holder:0.2,0.5, rho 1.25, smoother isotonic, concentration clopper-pearson, k 32 64, state paper-1d',
    )
    const file = optionsOf(at('certificate.json'))
    const { profile, state, ...knn } = LOCAL
    expect(file).toMatchObject({
      profile,
      budget: { deltaOmega: 0.01 },
      options: { ...knn, envelope: { holder: [0.2, 0.5] } },
      fingerprint: { state },
    })
    const decided = await run(['decide', 'questions.jsonl', '--certificate', 'certificate.json', '--json'])
    expect(decided.status, decided.stderr).toBe(0)
    const result = decided.json()
    await run(['export', '--run', String(result.runId), '--what', 'bundle', '--out', 'run.bundle'])
    const verified = await run(['verify', 'run.bundle'])
    expect(verified.stdout, verified.stderr).toContain('20 decisions recomputed with the same result')

    configure('other.json', {
      panel: { agents: AGENTS, rounds: 2 },
      budget: BUDGET,
      certificate: { ...LOCAL, envelope: 'modulus' },
      review: { spotCheckRate: 0 },
    })
    const other = await run([
      'decide',
      'questions.jsonl',
      '--certificate',
      'certificate.json',
      '--config',
      'other.json',
    ])
    expect(other.status).not.toBe(0)
    expect(other.stderr.replace(/\s+/g, ' ')).toContain(
      'the certificate was made for envelope holder:0.2,0.5, the config with its flags says envelope modulus',
    )
  })

  test('as flags make the same certificate without a config, and four more commands take them', async () => {
    const { at, run } = folderWith(LOCAL)
    const lines = simulatePanel({ seed: 7, count: 400 }).map((debate) => JSON.stringify(debate))
    writeFileSync(at('debates.jsonl'), lines.join('\n'))
    const flags = [
      ...['--envelope', 'lipschitz:0.1', '--rho', '2', '--smoother', 'isotonic', '--concentration', 'clopper-pearson'],
      ...['--state', 'support-path', '--k-family', '16,32', '--delta-omega', '0.005'],
    ]
    const made = await run(['calibrate', 'debates.jsonl', '--out', 'a.json', '--profile', 'tight', ...flags])
    expect([0, 20], made.stderr).toContain(made.status)
    const file = optionsOf(at('a.json'))
    expect(file).toMatchObject({
      budget: { deltaOmega: 0.005 },
      options: { envelope: { lipschitz: 0.1 }, rho: 2, smoother: 'isotonic', kFamily: [16, 32] },
      fingerprint: { state: 'support-path' },
    })
    const fast = ['--beta', '0.3', '--json']
    const evaluate = (...more: string[]) =>
      run(['evaluate', 'debates.jsonl', ...fast, '--splits', '1', '--policies', 'paper', '--threads', '1', ...more])
    const usual = await evaluate()
    const other = await evaluate(...flags)
    expect(usual.json().local).toEqual({})
    expect(other.json().local).toMatchObject({ envelope: { lipschitz: 0.1 }, kFamily: [16, 32] })
    expect(other.json().policies).not.toEqual(usual.json().policies)
    const planned = await run(['plan', 'debates.jsonl', ...fast, '--splits', '3', '--profile', 'tight', ...flags])
    expect(planned.json(), planned.stderr).toMatchObject({
      local: { rho: 2, state: 'support-path' },
      budget: { deltaOmega: 0.005 },
      floor: { largestNeighbourhood: 32 },
    })
    const audited = await run(['audit', 'debates.jsonl', ...fast, '--profile', 'tight', ...flags])
    expect(audited.json(), audited.stderr).toMatchObject({
      local: { rho: 2, state: 'support-path', kFamily: [16, 32] },
    })
    const one = ['--splits', '1', '--threads', '1']
    const reported = await run(['report', 'debates.jsonl', ...fast, ...one, '--profile', 'tight', ...flags])
    expect(reported.status, reported.stderr).toBe(0)
    expect(readFileSync(at('quorate-report/report.html'), 'utf8')).toContain('--envelope lipschitz:0.1')
  })

  test.each([
    [['--rho', '0.5'], '--rho must be a number of at least 1'],
    [['--rho', 'x'], '--rho must be a number of at least 1'],
    [['--envelope', 'lipschitz:-1'], '--envelope must be none, modulus'],
    [['--envelope', 'holder:1,2'], '--envelope must be none, modulus'],
    [['--k-family', '64,64'], '--k-family must be a list of 1 to 64 different whole numbers'],
    [['--k-family', '0'], '--k-family must be a list of 1 to 64 different whole numbers'],
    [['--state', 'mood'], '--state must be one of learned, paper'],
    [['--delta-omega', '0.03'], '--delta-omega must be a number from 0 on and below delta, 0.03'],
    [['--profile', 'total', '--envelope', 'none'], '--envelope needs --profile tight or paper'],
  ])('%j is refused by plan with a message', async (flags, words) => {
    const { at, run } = folderWith({ profile: 'total' }, { beta: 0.3 })
    writeFileSync(at('debates.jsonl'), '')
    const result = await run(['plan', 'debates.jsonl', '--beta', '0.3', '--profile', 'paper', ...flags])
    expect(result.status).toBe(2)
    expect(result.stderr).toContain(words)
  })

  test('need a profile that has neighbourhoods, in a config and among the policies of evaluate', async () => {
    const { at, run } = folderWith({ profile: 'total', rho: 2 }, { beta: 0.3, deltaOmega: 0.01 })
    const refused = await run(['validate'])
    expect(refused.status).not.toBe(0)
    expect(refused.stderr + refused.stdout).toMatch(/certificate\.rho must be left out, or used with certificate/)
    expect(refused.stderr + refused.stdout).toMatch(/budget\.deltaOmega must be left out, or used with certificate/)
    writeFileSync(at('debates.jsonl'), '')
    const evaluated = await run(['evaluate', 'debates.jsonl', '--beta', '0.3', '--policies', 'total', '--rho', '2'])
    expect(evaluated).toMatchObject({ status: 2, stderr: expect.stringContaining('--rho needs one of tight, paper') })
  })
})

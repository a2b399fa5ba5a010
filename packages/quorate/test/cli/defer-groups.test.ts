import { readFileSync, writeFileSync } from 'node:fs'
import { loadCertificate, readDebates, replay } from '@quorate/certificate'
import { expect, test } from 'vitest'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { commandFolder } from './command-folder.ts'

const AGENTS = ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `simulated/${name}` }))
const CONFIG = { panel: { agents: AGENTS, rounds: 4 }, budget: { beta: 0.2 } }
const debates = simulatePanel({ seed: 3, count: 600 })
const lines = debates.map((debate) => JSON.stringify(debate)).join('\n')

test('groups of the config or of the flag always go to a person', async () => {
  const { at, run, configure } = commandFolder({ ...CONFIG, certificate: { deferGroups: ['counting'] } })
  writeFileSync(at('debates.jsonl'), `${lines}\n`)
  const calibrated = async (...flags: readonly string[]) => {
    const made = await run(['calibrate', 'debates.jsonl', '--beliefs', 'stated', '--out', 'c.json', ...flags])
    expect(made.status, made.stderr).toBe(0)
    // The counts of actions include these groups, and the line mentions it.
    expect(made.stdout.replace(/\s+/g, ' ')).toMatch(
      /Acts on .* before groups that always go to a person \(.+\) are taken out/,
    )
    return loadCertificate(readFileSync(at('c.json'), 'utf8'))
  }
  const validated = await run(['validate'])
  expect(validated.stdout.replace(/\s+/g, ' ')).toContain(
    'before groups that always go to a person are taken out, are right',
  )
  const certificate = await calibrated()
  expect(certificate).toMatchObject({ kind: 'total', deferredGroups: ['counting'] })
  const read = readDebates(debates, { beliefs: 'stated' })
  const { actedAt } = replay(certificate, debates).at(certificate.budget)
  const acted = new Set(read.debates.filter((_, row) => (actedAt[row] ?? 0) > 0).map(({ record }) => record.group))
  expect(acted.size).toBeGreaterThan(1)
  expect(acted).not.toContain('counting')
  expect(await calibrated('--defer-groups', 'units, ordering')).toMatchObject({ deferredGroups: ['units', 'ordering'] })

  configure('quorate.config.json', CONFIG)
  for (const [flags, result] of [
    [['--defer-groups', 'units', '--profile', 'cells'], '--defer-groups needs profile total'],
    [['--defer-groups', 'units,,law'], '--defer-groups must name each group once, such as law,medicine'],
    [['--defer-groups', 'units,units'], 'got "units,units"'],
  ] as const) {
    const refused = await run(['calibrate', 'debates.jsonl', '--out', 'c.json', ...flags])
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining(result) })
  }
})

test('deferred groups are refused with a profile that does not support them', async () => {
  const { at, run } = commandFolder({ ...CONFIG, certificate: { profile: 'cells', deferGroups: ['counting'] } })
  writeFileSync(at('debates.jsonl'), `${lines}\n`)
  const refused = await run(['calibrate', 'debates.jsonl', '--out', 'c.json'])
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain(
    'certificate.deferGroups must be left out, or used with certificate: { profile: total }',
  )
})

test('the JSON of a calibration by group has the failed tests of every group', async () => {
  const { at, run } = commandFolder(CONFIG)
  writeFileSync(at('debates.jsonl'), `${lines}\n`)
  const args = ['calibrate', 'debates.jsonl', '--beliefs', 'stated', '--group-conditional', '--json', '--out', 'c.json']
  const made = await run(args)
  const { outcomes, failedTests } = JSON.parse(made.stdout)
  const groups = Object.keys(outcomes)
  expect(groups.length).toBeGreaterThan(1)
  expect(Object.keys(failedTests)).toEqual(groups)
  // Each group has few labels, so one of them or all fail a test.
  expect(groups.some((group) => failedTests[group].total !== null || failedTests[group].classes.length > 0)).toBe(true)
})

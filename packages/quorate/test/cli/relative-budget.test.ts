import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { simulatedQuestions } from '../run/run-world.ts'
import { commandFolder } from './command-folder.ts'

const AGENTS = ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `simulated/${name}` }))
const PANEL = { agents: AGENTS, rounds: 2 }
const NO_CONFIG = { XDG_CONFIG_HOME: '' }

function withDebates(config: object) {
  const folder = commandFolder(config)
  const lines = simulatePanel({ seed: 7, count: 500 }).map((debate) => JSON.stringify(debate))
  writeFileSync(folder.at('debates.jsonl'), lines.join('\n'))
  return folder
}

const flat = (text: string) => text.replace(/\s+/g, ' ')

describe('calibrate --relative', () => {
  test.each(['total', 'paper'] as const)(
    '%s: a given multiple of the error is on the page and in the file',
    async (profile) => {
      const { at, run } = withDebates({ panel: PANEL, budget: { beta: 0.6 }, certificate: { profile } })
      const made = await run(['calibrate', 'debates.jsonl', '--relative', '0.75', '--out', 'a.json'], NO_CONFIG)
      expect([0, 20], made.stderr).toContain(made.status)
      const file = JSON.parse(readFileSync(at('a.json'), 'utf8'))
      expect(file.relative).toMatchObject({ lambda: 0.75, isSelected: false, atMost: 0.6 })
      expect(file.budget.selectedUpTo).toBe(0.6)
      expect(file.budget.beta).toBeCloseTo(0.75 * file.relative.error, 5)
      expect(file.relative.labels).toBe(profile === 'total' ? 175 : 500)
      expect(flat(made.stdout)).toMatch(
        /Relative Beta is 0\.75 times the panel's error after the last round, [\d.]+ \([\d.–]+\) %/,
      )
      if (profile === 'paper')
        expect(flat(made.stdout)).toContain('at most the mean of the betas that such sets select')
    },
  )

  test('without a number selects one, and the JSON marks it as selected', async () => {
    const { run } = withDebates({ panel: PANEL, budget: { beta: 0.6 }, certificate: { profile: 'cells' } })
    const made = await run(['calibrate', 'debates.jsonl', '--relative', '--out', 'a.json', '--json'])
    if (made.status === 1) expect(made.stderr).toContain("no multiple of the panel's error from 0.25 to 5 acts")
    else expect(made.json()).toMatchObject({ relative: { isSelected: true } })
  })

  test('in a config: decide accepts the selected beta, but a config that declares the same beta refuses it', async () => {
    const budget = { beta: 0.5, delta: 0.03, epsilon: 0.02 }
    const rest = { panel: PANEL, certificate: { profile: 'cells' }, review: { spotCheckRate: 0 } }
    const { ask, run, configure } = commandFolder({ ...rest, budget: { ...budget, relative: 1.5 } })
    ask('labelled.jsonl', simulatedQuestions(200))
    ask('questions.jsonl', simulatedQuestions(210).slice(200))
    const { runId } = (await run(['debate', 'labelled.jsonl', '--json'])).json()
    const made = await run(['calibrate', '--run', runId, '--out', 'a.json', '--json'])
    const beta = (made.json()['budget'] as { beta: number }).beta
    const decided = await run(['decide', 'questions.jsonl', '--certificate', 'a.json', '--json'])
    expect(decided.status, decided.stderr).toBe(0)
    configure('declared.json', { ...rest, budget: { ...budget, beta } })
    const refused = await run(['decide', 'questions.jsonl', '--certificate', 'a.json', '--config', 'declared.json'])
    expect(flat(refused.stderr)).toContain('selected by looking at labels up to 0.5')
  })

  test.each([
    [['--relative', '0'], 'must be a number above 0 and at most 1000'],
    [['--relative=x'], 'must be a number above 0'],
    [['--relative', '40'], 'lambda must be at most'],
  ])('%j is refused with a message', async (flags, words) => {
    const { run } = withDebates({ panel: PANEL, budget: { beta: 0.3 }, certificate: { profile: 'cells' } })
    const result = await run(['calibrate', 'debates.jsonl', '--out', 'a.json', ...flags])
    expect(result.status).not.toBe(0)
    expect(result.stderr).toContain(words)
  })
})

import { calibrate, type Debate } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import type { ConfiguredPanel } from '../../../src/config/resolve-config.ts'
import { READER_VERSION } from '../../../src/debate/reader-version.ts'
import { differenceText, panelDifferences } from '../../../src/run/calibration/panel-differences.ts'
import { knownOf, panelFingerprint } from '../../../src/run/calibration/panel-fingerprint.ts'
import { settingsOf } from '../../../src/run/calibration/panel-settings.ts'
import { recordedPanel } from '../../../src/run/calibration/recorded-panel.ts'
import { resolvedConfig } from '../resolved-config.ts'

const { config } = resolvedConfig()
const { panel } = config

const TURNS = panel.agents.map(({ name }) => ({ agent: name, answer: 'A', conf: { verbal: 0.9 } }))
const DEBATES = Array.from({ length: 8 }, (_, row): Debate => {
  return { id: `${row}`, options: ['A', 'B'], gold: row % 2 === 0 ? 'A' : 'B', rounds: [TURNS, TURNS] }
})

/** The fingerprint that `calibrate --run` records for a run of this config. */
function fingerprint() {
  const recorded = recordedPanel({ config: config.identity })
  if (recorded === null) throw new Error('the config of a run must be readable')
  const budget = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
  return calibrate(DEBATES, { profile: 'cells', budget, beliefs: 'stated', ...knownOf(recorded) }).fingerprint
}

function agentChanged(change: object): ConfiguredPanel {
  const [first, ...others] = panel.agents
  if (first === undefined) throw new Error('there is no agent')
  return { ...panel, agents: [{ ...first, ...change }, ...others] }
}

test('a run stores all parts of its fingerprint, so its panel does not differ from itself', () => {
  const known = fingerprint()
  expect(known).toMatchObject({ reader: READER_VERSION, settings: settingsOf(panel) })
  expect(panelDifferences(known, panelFingerprint(panel))).toEqual([])
})

describe('a panel that differs', () => {
  test.each([
    ['temperature', { temperature: 0.2 }, 'temperature 0.2'],
    ['output limit', { maxOutputTokens: 17 }, 'maxOutputTokens 17'],
    ['host', { baseURL: 'http://other.example/v1' }, 'address'],
    ['path', { baseURL: 'http://127.0.0.1:9/v2' }, 'address'],
    // A pattern that tries every way to split the slashes would never end here.
    ['path of many slashes', { baseURL: `http://127.0.0.1:9/v2${'/'.repeat(1_000_000)}x` }, 'address'],
  ])('in the %s of an agent is named with both values', (_, change, words) => {
    const [difference, ...others] = panelDifferences(fingerprint(), panelFingerprint(agentChanged(change)))
    expect(others).toEqual([])
    expect(difference).toMatchObject({ field: 'settings', of: 'agent ann', here: expect.stringContaining(words) })
    expect(difference?.calibrated).toMatch(/^temperature 0.7, maxOutputTokens 256, address [0-9a-f]{12}$/)
  })

  test.each([
    [{ samples: 5 }, 'settings', 'panel', 'protocol debate, samples 1', 'protocol debate, samples 5'],
    [{ rounds: 1 }, 'agents', 'round 2', 'ann, bob', 'none'],
    [{ elicitation: 'vote' }, 'elicitation', '', 'stated', 'vote'],
    [{ prompts: { ...panel.prompts, reminder: 'Again.' } }, 'prompts', '', /^digest [0-9a-f]{12}$/, /^digest /],
  ] as const)('by %j is named with both values', (change, field, of, calibrated, here) => {
    const reported = panelDifferences(fingerprint(), panelFingerprint({ ...panel, ...change }))
    const value = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text))
    expect(reported).toContainEqual({ field, of, calibrated: value(calibrated), here: value(here) })
  })

  test('in the version of the reader is named', () => {
    const here = { ...panelFingerprint(panel), reader: READER_VERSION + 1 }
    const [difference] = panelDifferences(fingerprint(), here)
    expect(difference && differenceText(difference)).toBe(
      `reader: calibrated ${READER_VERSION}, here ${READER_VERSION + 1}`,
    )
  })

  test('only in a trailing slash of an address, or in its key, counts as the same panel', () => {
    const same = agentChanged({ baseURL: 'http://127.0.0.1:9/v1/', apiKeyEnv: 'OTHER_KEY' })
    expect(panelDifferences(fingerprint(), panelFingerprint(same))).toEqual([])
  })
})

test('the settings in a certificate contain no address', () => {
  expect(JSON.stringify(settingsOf(panel))).not.toContain('127.0.0.1')
})

test('an imported run has no known panel, and an older run neither settings nor reader', () => {
  expect(recordedPanel({ config: '{"imported":"x"}' })).toBeNull()
  const { reader: _, ...older } = JSON.parse(config.identity)
  delete older.panel.agents[0].temperature
  expect(recordedPanel({ config: JSON.stringify(older) })).toMatchObject({ reader: null, settings: null })
})

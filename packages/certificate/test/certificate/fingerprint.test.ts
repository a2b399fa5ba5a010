import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/canonical/canonical-json.ts'
import { sha256 } from '../../src/canonical/sha256.ts'
import { calibrate } from '../../src/certificate/calibrate.ts'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { fingerprintDifferences, METHOD_VERSION } from '../../src/certificate/fingerprint.ts'
import { fitCertificate } from '../../src/certificate/fit-certificate.ts'
import { simulatedDebates } from './simulated-debates.ts'

const budget = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
const debates = simulatedDebates({ count: 30, seed: 1 })
const models = JSON.parse('{"__proto__":"m0","x":"m1","y":"m2"}')
const { fingerprint } = calibrate(debates, { profile: 'tight', budget, models, prompts: 'p1' })

describe('the fingerprint', () => {
  test('says what is known of the panel', () => {
    expect(fingerprint).toEqual({
      models,
      prompts: 'p1',
      agents: [
        ['x', 'y', 'z'],
        ['x', 'y', 'z'],
        ['x', 'y', 'z'],
      ],
      panels: 'same',
      rounds: 3,
      endsEarly: false,
      elicitation: 'stated',
      turns: { answered: expect.any(Number), missing: 0, questions: expect.any(Number), firstMissing: 0 },
      settings: null,
      reader: null,
      state: 'learned',
      methodVersion: METHOD_VERSION,
      rows: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(calibrate(debates, { profile: 'cells', budget }).fingerprint).toMatchObject({
      models: null,
      prompts: null,
      state: 'cells',
    })
  })

  test('names the agents by code point, and says where panels vary', () => {
    const [first, ...rest] = debates
    const turned = [{ ...first!, rounds: first!.rounds.map((turns) => turns.toReversed()) }, ...rest]
    expect(calibrate(turned, { profile: 'paper', budget }).fingerprint.agents).toEqual(fingerprint.agents)
    const fewer = [{ ...first!, rounds: first!.rounds.map((turns) => turns.slice(1)) }, ...rest]
    const varying = calibrate(fewer, { profile: 'paper', budget }).fingerprint
    expect(varying.agents).toEqual(fingerprint.agents)
    expect([fingerprint.panels, varying.panels]).toEqual(['same', 'varying'])
  })

  test('has other rows when one label, one state, one group or the order differs', () => {
    const rounds = [{ states: [[0.1], [0.2], [0.3]], correct: [0, 1, 1] }]
    const rowsOf = (input: Parameters<typeof fitCertificate>[0]) =>
      fitCertificate(input, { profile: 'paper', budget }).fingerprint.rows
    const all = [
      { rounds },
      { rounds: [{ ...rounds[0]!, correct: [1, 1, 1] }] },
      { rounds: [{ ...rounds[0]!, states: [[0.1], [0.2], [0.30000000000000004]] }] },
      { rounds: [{ states: [[0.2], [0.1], [0.3]], correct: [1, 0, 1] }] },
      { rounds: [...rounds, ...rounds] },
      { rounds, groups: ['a', 'b', 'a'] },
      { rounds, groups: ['a', 'b', 'b'] },
    ].map(rowsOf)
    expect(new Set(all).size).toBe(all.length)
    const flat = { values: Float64Array.of(0.1, 0.2, 0.3), dimension: 1 }
    expect(rowsOf({ rounds: [{ states: flat, correct: Uint8Array.of(0, 1, 1) }] })).toBe(all[0])
    const part = new Float64Array([9, 0.1, 0.2, 0.3, 9]).subarray(1, 4)
    expect(rowsOf({ rounds: [{ states: { values: part, dimension: 1 }, correct: [0, 1, 1] }] })).toBe(all[0])
  })

  test('survives a journey through JSON', () => {
    const certificate = calibrate(debates, { profile: 'tight', budget, models, prompts: 'p1' })
    expect(fingerprintDifferences(loadCertificate(JSON.stringify(certificate)).fingerprint, fingerprint)).toEqual([])
  })
})

describe('settings and the reader of answers', () => {
  const settings = JSON.parse('{"__proto__":"t 1","panel":"debate"}')
  const certificate = calibrate(debates, { profile: 'cells', budget, settings, reader: 2 })

  test('are compared where both sides know them', () => {
    const { fingerprint: known } = loadCertificate(JSON.stringify(certificate))
    expect(known).toMatchObject({ settings, reader: 2 })
    expect(fingerprintDifferences(known, { settings, reader: 2 })).toEqual([])
    const other = { settings: { ...settings, panel: 'growing' }, reader: 3 }
    expect(fingerprintDifferences(known, other)).toEqual(['settings', 'reader'])
    expect(fingerprintDifferences(fingerprint, other)).toEqual([])
  })

  test('may be unknown in a file, and not absent', () => {
    const { checksum: _, ...file } = JSON.parse(JSON.stringify(certificate))
    const { settings: __, reader: ___, ...others } = file.fingerprint
    const changed = (fingerprint: object) => {
      const content = { ...file, fingerprint }
      return loadCertificate({ ...content, checksum: sha256(canonicalJson(content)) })
    }
    const unknown = { settings: null, reader: null }
    expect(changed({ ...others, ...unknown }).fingerprint).toMatchObject(unknown)
    expect(() => changed(others)).toThrow('file.fingerprint.settings must be an object')
  })

  test.each([
    ['settings', { panel: 7 }, 'calibrate: settings.panel must be a text'],
    ['settings', 'hot', 'calibrate: settings must be'],
    ['reader', 0, 'calibrate: reader must be a whole number'],
    ['reader', '1', 'calibrate: reader must be a whole number'],
  ])('that are wrong are refused: %s %j', (name, value, words) => {
    expect(() => calibrate(debates, { profile: 'cells', budget, [name]: value })).toThrow(words)
  })
})

describe('fingerprintDifferences', () => {
  test('names what is known and differs', () => {
    const other = JSON.parse('{"__proto__":"m0","x":"m1","y":"m3"}')
    expect(
      fingerprintDifferences(fingerprint, { models: other, prompts: 'p1', rounds: 4, elicitation: 'vote' }),
    ).toEqual(['models', 'rounds', 'elicitation'])
    expect(fingerprintDifferences(fingerprint, { agents: [['x', 'y']] })).toEqual(['agents'])
  })

  test('does not compare what one side does not know', () => {
    expect(fingerprintDifferences(fingerprint, { models: null, prompts: null, agents: null })).toEqual([])
    expect(fingerprintDifferences({ ...fingerprint, models: null, prompts: null }, { models, prompts: 'p2' })).toEqual(
      [],
    )
    expect(fingerprintDifferences(fingerprint, {})).toEqual([])
  })

  test('does not mind the order of names', () => {
    const turned = Object.fromEntries(Object.entries(models).toReversed()) as typeof models // entries forget their type
    expect(fingerprintDifferences(fingerprint, { ...fingerprint, models: turned })).toEqual([])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import type { Certificate } from '../../src/certificate/calibrate.ts'
import { checksumOf } from '../../src/certificate/file/certificate-file.ts'
import { fileReader } from '../../src/certificate/file/file-reader.ts'
import { loadCertificate } from '../../src/certificate/file/load-certificate.ts'
import { loadRows } from '../../src/certificate/file/load-total.ts'
import { CertificateError } from '../../src/certificate-error.ts'
import { decide } from '../../src/decision/decide.ts'
import { seededRandom } from '../../src/random.ts'
import { testsOf } from '../../src/total/classes.ts'
import { countTotal, type TotalOutcome } from '../../src/total/count.ts'
import type { TotalDesign } from '../../src/total/design.ts'
import { replaced } from './replaced.ts'
import {
  CERTIFICATES,
  type CertificateName,
  FRESH,
  GROUPS,
  KINDS,
  loadOptionsOf,
  STATES,
} from './saved-certificates.ts'

const textOf = (name: CertificateName) => JSON.stringify(CERTIFICATES[name])

function sayings(certificate: Certificate): unknown {
  if (certificate.kind !== 'knn' || certificate.panel !== null)
    return FRESH.slice(0, 6).map((debate) => decide(certificate, debate))
  return GROUPS.map((group) => STATES.map((state) => certificate.bound(1, state, group)))
}

/** Null if the file is refused as it should be. Anything but a CertificateError is rethrown. */
function loadOrRefuse(name: CertificateName, json: string | object): Certificate | null {
  try {
    return loadCertificate(json, loadOptionsOf(name))
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    expect(error.message).toMatch(/^loadCertificate: /)
    return null
  }
}

/** The file with a matching checksum, as somebody who edits it by hand might make it. */
function resealed(content: object): object {
  return { ...content, checksum: checksumOf(content) }
}

describe.each(KINDS)('the file of a certificate %s', (name) => {
  const text = textOf(name)
  const bytes = new TextEncoder().encode(text)
  const expected = sayings(CERTIFICATES[name])
  /** Fewer if the file is long and its certificate slow to fit. */
  const changes = sized({ short: 96, full: 400 }) / (bytes.length > 100_000 ? 4 : 1)

  test('with one changed byte is refused, or reports the same', () => {
    const random = seededRandom(1)
    let refused = 0
    for (let change = 0; change < changes; change++) {
      const changed = bytes.slice()
      changed[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8)
      const loaded = loadOrRefuse(name, new TextDecoder().decode(changed))
      if (loaded === null) refused++
      else expect(sayings(loaded)).toEqual(expected)
    }
    expect(refused).toBeGreaterThan(0.85 * changes)
  })

  test('with one digit changed for another is refused, or reports the same', () => {
    const random = seededRandom(2)
    for (let change = 0; change < changes / 4; change++) {
      let at = Math.floor(random() * text.length)
      while (!/\d/.test(text[at]!)) at = (at + 1) % text.length
      const loaded = loadOrRefuse(name, `${text.slice(0, at)}${Math.floor(random() * 10)}${text.slice(at + 1)}`)
      if (loaded !== null) expect(sayings(loaded)).toEqual(expected)
    }
  })

  test('cut off anywhere is refused', () => {
    const random = seededRandom(3)
    for (let cut = 0; cut < changes / 4; cut++) {
      const at = Math.floor(random() * text.length)
      expect(loadOrRefuse(name, text.slice(0, at))).toBeNull()
      expect(loadOrRefuse(name, text.slice(at + 1))).toBeNull()
    }
  })

  test('with a value replaced and the checksum made to fit is refused with its place, or is a sound certificate', () => {
    const journey = fc.array(fc.nat(), { minLength: 1, maxLength: 6 })
    const poison = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        Number.NaN,
        Infinity,
        -1,
        0,
        0.5,
        1,
        2,
        1e9,
        1e300,
        '',
        '1',
        'paper',
        'learned',
        true,
        false,
      ),
      fc.constantFrom<unknown>(
        [],
        {},
        [[]],
        [null],
        [0],
        [1, 2, 3],
        ['a'],
        { kind: 'named', name: 'paper' },
        { kind: 'custom', name: 'depth' },
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    fc.assert(
      fc.property(journey, poison, (steps, value) => {
        const loaded = loadOrRefuse(name, resealed(replaced(JSON.parse(text), steps, value)))
        if (loaded === null) return
        try {
          sayings(loaded)
        } catch (error) {
          if (!(error instanceof CertificateError)) throw error
        }
      }),
      { numRuns: changes / 2 },
    )
  })
})

describe('a file that is refused says why', () => {
  const content: Record<string, unknown> = JSON.parse(textOf('paper'))
  const cells: Record<string, unknown> = JSON.parse(textOf('path cells'))
  const message = (json: unknown) => {
    try {
      loadCertificate(json as object)
    } catch (error) {
      if (error instanceof CertificateError) return error.message
      throw error
    }
    throw new Error('nothing was refused')
  }

  test('not JSON, cut off, or no object', () => {
    expect(message('')).toMatch(
      /^loadCertificate: file must be the whole text of a certificate, and not its path, got "0 characters"$/,
    )
    expect(message(textOf('paper').slice(0, -1))).toMatch(
      /^loadCertificate: file must be the whole text of a certificate/,
    )
    for (const json of ['[]', '3', 'null', '"certificate"'])
      expect(message(json)).toMatch(/^loadCertificate: file must be an object/)
    for (const json of [undefined, null, 3, true, []])
      expect(message(json)).toMatch(/^loadCertificate: file must be an object/)
  })

  test('content that is only inherited', () => {
    expect(message(Object.create(content))).toMatch(/^loadCertificate: file must be a quorate certificate/)
    expect(
      message(resealed({ ...content, budget: Object.create({ beta: 0.4, delta: 0.05, epsilon: 0.02 }) })),
    ).toContain('loadCertificate: file.budget.beta must be a finite number, got undefined')
  })

  test('another file', () => {
    const expected = /^loadCertificate: file must be a quorate certificate/
    expect(message({})).toMatch(expected)
    expect(message({ ...content, kind: 'debate' })).toMatch(expected)
    expect(message({ ...content, quorate: 2 })).toMatch(expected)
  })

  test('another version of the method', () => {
    for (const methodVersion of [0, 1, '2', null, undefined]) {
      expect(message(resealed({ ...content, methodVersion }))).toMatch(
        /^loadCertificate: methodVersion must be \d: this certificate was made by another version of the method, calibrate again, got /,
      )
    }
  })

  test('a checksum that does not fit, or none', () => {
    const expected = /^loadCertificate: checksum must be .*: the file was changed, restore it or calibrate again, got /
    expect(message({ ...content, checksum: '0'.repeat(64) })).toMatch(expected)
    expect(message({ ...content, checksum: undefined })).toMatch(expected)
    expect(message({ ...content, note: 'mine' })).toMatch(expected)
    expect(message(JSON.parse(textOf('paper').replace('"quorate":1', '"quorate":1,"__proto__":{"x":1}')))).toMatch(
      expected,
    )
  })

  test.each<[string, object, string]>([
    ['a method that is none', { ...content, method: 'guess' }, 'file.method must be one of knn, cells'],
    ['a profile of the other kind', { ...content, profile: 'cells' }, 'file.profile must be one of paper, tight'],
    [
      'a budget without beta',
      { ...content, budget: { delta: 0.05, epsilon: 0.02 } },
      'file.budget.beta must be a finite number',
    ],
    [
      'a budget out of range',
      { ...content, budget: { beta: 1, delta: 0.05, epsilon: 0.02 } },
      'budget.beta must be a number in (0, 1)',
    ],
    [
      'null for a state',
      { ...content, data: [{ dimension: 1, states: [null], correct: '1' }] },
      'file.data[0].states[0] must be a finite number, got null',
    ],
    [
      'labels that are no digits',
      { ...content, data: [{ dimension: 1, states: [1], correct: '2' }] },
      'file.data[0].correct must be a string of 0 and 1',
    ],
    [
      'too few labels',
      { ...content, data: [{ dimension: 1, states: [1, 2], correct: '1' }] },
      'rounds[0].correct must be of 2 labels',
    ],
    ['no states for the panel', { ...content, states: null }, 'file.states must be'],
    ['states of fewer rounds', { ...content, states: [{ kind: 'named', name: 'paper' }] }, 'file.states must be'],
    ['states without a panel', { ...content, panel: null }, 'file.states must be'],
    [
      'a state of unknown kind',
      { ...content, states: [{ kind: 'guess' }] },
      'file.states[0].kind must be one of named, learned, custom',
    ],
    ['too few ids', { ...content, ids: ['q'] }, 'file.ids must be'],
    ['an id that is no text', { ...content, ids: [1] }, 'file.ids[0] must be a string'],
    [
      'a split beyond the rows',
      { ...content, split: { pilot: [0], neighbours: [120] } },
      'split.neighbours[0] must be a row number below 120',
    ],
    [
      'a weight as text',
      { ...content, panel: { elicitation: 'vote', seed: 0, weights: { x: '1' } } },
      'file.panel.weights.x must be a finite number',
    ],
    ['no panel for cells', { ...cells, panel: null }, 'file.panel must be an object'],
    ['a design for fewer rounds', { ...cells, design: { kind: 'path', cuts: [[0.5]] } }, 'file.design.cuts must be'],
    [
      'cuts that fall',
      { ...cells, design: { kind: 'path', cuts: [[0.9, 0.5], [], []] } },
      'file.design.cuts[0] must be',
    ],
    [
      'no rounds',
      { ...cells, score: { name: 'ridge', parts: [], layout: { agents: [], groups: [] } } },
      'file.score.layout.agents must be',
    ],
    ['groups of fewer rows', { ...cells, neighbourGroups: ['law'] }, 'file.neighbourGroups must be'],
  ])('%s', (_, changed, expected) => {
    expect(message(resealed(changed))).toContain(`loadCertificate: ${expected}`)
  })

  test('a learned score with fewer weights than features', () => {
    const learned: { states: { score: { weights: number[]; means: number[]; scales: number[] } }[] } = JSON.parse(
      textOf('learned'),
    )
    for (const list of ['weights', 'means', 'scales'] as const) learned.states[1]!.score[list].pop()
    expect(message(resealed(learned))).toMatch(
      /^loadCertificate: file\.states\[1\]\.score\.weights must be \d+ numbers/,
    )
  })

  test('a learned score with a scale of 0', () => {
    const learned: { states: { score: { scales: number[] } }[] } = JSON.parse(textOf('learned'))
    learned.states[0]!.score.scales[2] = 0
    expect(message(resealed(learned))).toMatch(/^loadCertificate: file\.states\[0\]\.score\.scales\[2\] must be/)
  })

  test('nested absurdly deep', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const text = textOf('paper').replace('"quorate":1', `"quorate":1,"note":${deep}`)
    expect(message(text)).toMatch(/^loadCertificate: file must be /)
  })
})

/**
 * Somebody who knows the counted labels could choose cuts and classes by them, so the design is computed again from
 * pilot rows.
 */
describe('a design that the pilot rows of the file do not give is refused', () => {
  test.each<[CertificateName, string, (design: DesignContent) => void]>([
    ['total', 'fewer policies', ({ policies }) => policies!.splice(1)],
    ['total', 'a cut of its own', ({ policies }) => policies!.at(-1)!.fill(0)],
    ['total', 'another blocked kind', ({ blocked }) => blocked!.push(7)],
    ['total with runs', 'kinds that cannot be vetoed', ({ classes }) => classes![0]!.vetoable.splice(0)],
    ['total without a floor', 'fewer policies', ({ policies }) => policies!.splice(1)],
    ['path cells', 'a cut of its own', ({ cuts }) => cuts![0]!.splice(0, 1, 0.5)],
    ['nominate cells', 'one round less', ({ cuts }) => cuts![1]!.splice(0)],
  ])('%s: %s', (name, _, change) => {
    const content: { design: DesignContent; outcomes?: Record<string, TotalOutcome> } = JSON.parse(textOf(name))
    const before = JSON.stringify(content.design)
    change(content.design)
    expect(JSON.stringify(content.design)).not.toBe(before)
    const loaded = CERTIFICATES[name]
    if (loaded.kind === 'total') {
      // The number of tests and the outcomes are those of the changed design, so the file agrees with itself.
      const { classes, policies } = content.design
      const tests = policies!.length * classes!.reduce((sum, each) => sum + testsOf(each), 0)
      content.design.tests = tests
      const { promise } = loaded
      const cuts = policies!.map((policy) => policy.map((cut) => cut ?? Infinity))
      const changed = { ...loaded.design, ...content.design, policies: cuts, tests } as TotalDesign // JSON has no infinity
      const rows = loadRows(
        fileReader('test', 'neighbours', JSON.parse(textOf(name)).neighbours),
        loaded.split.neighbours.length,
        loaded.rounds,
      )
      content.outcomes = { '': countTotal(changed, promise, rows) }
    }
    expect(() => loadCertificate(resealed(content))).toThrow(
      /^loadCertificate: file\.design must be what the pilot rows give/,
    )
  })
})

interface DesignContent {
  readonly policies?: (number | null)[][]
  readonly blocked?: number[]
  readonly classes?: { readonly kinds: number[]; readonly vetoable: number[] }[]
  tests?: number
  readonly cuts?: number[][]
}

test('keys named __proto__ in a file do no harm', () => {
  const text = textOf('support path')
  const inserted = text
    .replace('{"quorate":1', '{"__proto__":{"polluted":true,"method":"cells"},"quorate":1')
    .replace('"budget":{', '"budget":{"__proto__":{"polluted":true},')
  const content = JSON.parse(inserted)
  const loaded = loadOrRefuse('support path', resealed(content))
  expect(sayings(loaded!)).toEqual(sayings(CERTIFICATES['support path']))
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

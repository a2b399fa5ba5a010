import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDebateNames, checkPlainName } from '../../src/files/plain-names.ts'
import { isDotSegment, PLAIN_NAME } from '../../src/record/names.ts'

const turn = (agent: string) => ({ agent, answer: 'A' })

test.each([
  [{ id: 'q\u001b[2J', rounds: [] }, 'f: line 3.id must be text without control characters'],
  [{ id: 'q', group: 'law\u0085', rounds: [] }, 'f: line 3.group must be'],
  [{ id: 'q', rounds: [[turn('ada')], [turn('ada'), turn('b\ud800b')]] }, 'f: line 3.rounds[1][1].agent must be'],
  [{ id: 'two\nlines', rounds: [] }, 'got U+000A at character 4'],
])('names of a debate that steer a terminal are refused by line and field: %#', (debate, words) => {
  expect(() => checkDebateNames(debate, 'f: line 3')).toThrow(words)
})

test('all other text is kept, whatever its script', () => {
  for (const name of ['', 'Ünï 判例 🏳️‍🌈 \u202e\u200d', '__proto__', '\u{10FFFF}', 'a/b?c#d%20']) {
    checkDebateNames({ id: name, group: name, rounds: [[turn(name)]] }, 'here')
  }
  for (const other of [null, 1, 'text', [], { id: 5 }, { rounds: 'none' }, { rounds: [null, [null]] }]) {
    checkDebateNames(other, 'here')
  }
})

test('the pattern of the contract accepts the same names as the reader of files', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '\0', '\u007f', '\u009f', '\udc00'),
      (text, extra) => {
        const name = `${text}${extra}`
        let isRefused = false
        try {
          checkPlainName(name, 'here')
        } catch {
          isRefused = true
        }
        expect(PLAIN_NAME.test(name)).toBe(!isRefused)
      },
    ),
  )
})

test('ids that URL parsers remove from paths are known', () => {
  expect(['.', '..', '...', '', 'a', '%2e'].map(isDotSegment)).toEqual([true, true, false, false, false, false])
  expect(new URL('http://host/v1/%2E%2e/x').pathname).toBe('/x')
})

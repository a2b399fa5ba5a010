import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markup, markupText } from '../../src/figures/markup.ts'
import { endOfName, fullName, shortName } from '../../src/figures/visible-text.ts'
import { HOSTILE_TEXTS, hostileText } from './hostile-text.ts'
import { malformation } from './well-formed.ts'

describe('markup', () => {
  test('escapes texts, rounds coordinates, joins lists, and omits null and false', () => {
    const inner = markup`<b>${'a < b & "c"'}</b>`
    const made = markup`<p x="${1 / 3}" y="${-0}">${[inner, 'd', null]}${false}</p>`
    expect(markupText(made)).toBe('<p x="0.33" y="0"><b>a &lt; b &amp; &quot;c&quot;</b>d</p>')
  })

  test('keeps any text within its element or attribute', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const made = markupText(markup`<g title="${text}"><text>${text}</text></g>`)
        expect(malformation(made)).toBeNull()
        expect(made.match(/</g)).toHaveLength(4)
      }),
    )
  })

  test('does not accept a look-alike object as markup', () => {
    const forged = JSON.parse('{"Symbol(markup)":"<script>","markup":"<script>"}')
    expect(markupText(markup`<p>${forged}</p>`)).not.toContain('<script>')
  })

  test.each([Number.NaN, Infinity, -Infinity])('refuses %d as a coordinate', (value) => {
    expect(() => markup`<p x="${value}"/>`).toThrow('a coordinate must be a finite number')
  })
})

describe('names', () => {
  test('are cut to the given number of characters', () => {
    expect(shortName('computer science', 9)).toBe('computer…')
    expect(shortName('law', 9)).toBe('law')
    expect(shortName('👍👍👍', 2)).toBe('👍…')
    expect(endOfName('0 › 0 › 1', 5)).toBe('… › 1')
  })

  test.each(['', ' ', '\u202e'])('%j is shown as no name', (name) => {
    expect(shortName(name, 9)).toBe('(no name)')
  })

  test('have no control, format or direction characters and at most 500 letters', () => {
    for (const text of HOSTILE_TEXTS) {
      const name = fullName(text)
      expect(name).not.toMatch(/\p{C}/u)
      expect([...name].length).toBeLessThanOrEqual(500)
    }
  })
})

describe('the check of well-formed XML', () => {
  test.each([
    ['<a><b></a></b>', 'closes another'],
    ['<a>', 'is not closed'],
    ['<a x=1/>', 'no tag'],
    ['<a x="1" x="2"/>', 'twice'],
    ['<a>&copy;</a>', 'bare sign'],
    ['<a x="&"/>', 'bare &'],
    ['<a>\u0001</a>', 'forbidden'],
    ['<a>]]></a>', 'bare sign'],
  ])('refuses %j', (text, reason) => {
    expect(malformation(text)).toContain(reason)
  })
})

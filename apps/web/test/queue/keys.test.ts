import { describe, expect, test } from 'vitest'
import { commandKey, commandOf, moveKeys } from '../../src/pages/queue/key-commands.ts'
import { optionKeys, optionOfKey } from '../../src/pages/queue/option-keys.ts'

describe('the keys of options', () => {
  test.each([
    { names: ['A', 'B', 'C'], keys: ['a', 'b', 'c'], why: 'letters of their own' },
    { names: ['yes', 'no'], keys: ['y', 'n'], why: 'the first letter of a word' },
    { names: ['red', 'rose', 'blue'], keys: ['1', '2', 'b'], why: 'a shared letter is nobody’s' },
    { names: ['Ja', 'jein'], keys: ['1', '2'], why: 'case makes no letter of its own' },
    { names: ['12', '13', '14'], keys: ['1', '2', '3'], why: 'digits that are not their own are places' },
    { names: ['3', '1', '2'], keys: ['3', '1', '2'], why: 'digits of their own are names' },
    { names: ['20 mg', '10 mg', '15 mg'], keys: ['1', '2', '3'], why: 'one shared digit makes all of them places' },
    { names: ['Ж', 'я'], keys: ['ж', 'я'], why: 'letters of any script' },
    { names: ['', ' ', '(a)'], keys: ['1', '2', '3'], why: 'no letter at the front' },
  ])('$names: $why', ({ names, keys }) => {
    expect(optionKeys(names)).toEqual(keys)
  })

  test('ten have places, the tenth is 0, further ones have none', () => {
    const names = Array.from({ length: 12 }, (_, index) => `x${index}`)
    expect(optionKeys(names)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', null, null])
  })

  test('a place selects beside a letter, and never against a digit that is a name', () => {
    expect(optionOfKey(['A', 'B'], '2')).toBe(1)
    expect(optionOfKey(['A', 'B'], 'B')).toBe(1)
    expect(optionOfKey(['A', 'B'], '3')).toBeNull()
    expect(optionOfKey(['0', '1', '2'], '3')).toBeNull()
    expect(optionOfKey(['0', '1', '2'], '0')).toBe(0)
  })
})

describe('the keys of commands', () => {
  const press = (key: string, shiftKey = false) => commandOf({ key, shiftKey }, ['A', 'B', 'S', 'n'])

  test('cannot tell and bad question need Shift, so that C and B stay free for options', () => {
    expect(press('C', true)).toEqual({ kind: 'cannot-tell' })
    expect(press('B', true)).toEqual({ kind: 'bad-question' })
    expect(press('b')).toEqual({ kind: 'option', index: 1 })
    expect(press('B')).toEqual({ kind: 'option', index: 1 })
    expect(press('c')).toBeNull()
  })

  test('a letter of an option is the option’s, and its command moves to Shift', () => {
    expect(press('s')).toEqual({ kind: 'option', index: 2 })
    expect(press('S', true)).toEqual({ kind: 'skip' })
    expect(press('r')).toEqual({ kind: 'release' })
    expect(commandKey('skip', ['S'])).toBe('Shift+S')
    expect(commandKey('skip', ['A'])).toBe('S')
    expect(moveKeys(['J', 'x'])).toBe('Shift+J / K')
  })

  test('Shift and Enter is nothing, so that it cannot submit by accident', () => {
    expect(press('Enter')).toEqual({ kind: 'submit' })
    expect(press('Enter', true)).toBeNull()
  })
})

import { describe, expect, test } from 'vitest'
import { commandKey, commandOf } from '../../src/pages/queue/key-commands.ts'
import { optionKeys, optionOfKey } from '../../src/pages/queue/option-keys.ts'

describe('the keys of labels', () => {
  test('follow the order of the task and not the names, so that they never change', () => {
    for (const names of [
      ['A', 'B', 'C'],
      ['yes', 'no', 'yes?'],
      ['3', '1', '2'],
      ['', ' ', '(a)'],
    ]) {
      expect(optionKeys(names)).toEqual(['1', '2', '3'])
    }
  })

  test('exist for ten labels, with 0 for the tenth', () => {
    const names = Array.from({ length: 12 }, (_, index) => `x${index}`)
    expect(optionKeys(names)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', null, null])
    expect(optionOfKey(names, '0')).toBe(9)
  })

  test('do not include a digit beyond the labels, nor the name of a label', () => {
    expect(optionOfKey(['A', 'B'], '3')).toBeNull()
    expect(optionOfKey(['A', 'B'], 'a')).toBeNull()
  })
})

describe('the keys of commands', () => {
  const press = (key: string, shiftKey = false) => commandOf({ key, shiftKey }, ['A', 'B', 'S', 'n'])

  test('are letters, even if a label has the same letter', () => {
    expect(press('c')).toEqual({ kind: 'cannot-tell' })
    expect(press('b')).toEqual({ kind: 'bad-question' })
    expect(press('s')).toEqual({ kind: 'skip' })
    expect(press('2')).toEqual({ kind: 'option', index: 1 })
    expect(commandKey('skip')).toBe('S')
  })

  test('do not include Shift and Enter, so that nothing is submitted by accident', () => {
    expect(press('Enter')).toEqual({ kind: 'submit' })
    expect(press('Enter', true)).toBeNull()
  })
})

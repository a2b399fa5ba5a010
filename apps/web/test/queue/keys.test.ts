import { describe, expect, test } from 'vitest'
import { commandKey, commandOf } from '../../src/pages/queue/key-commands.ts'
import { optionKeys, optionOfKey } from '../../src/pages/queue/option-keys.ts'

describe('the keys of labels', () => {
  test('are places in the order of the task, whatever the labels are called, so that they never move', () => {
    for (const names of [
      ['A', 'B', 'C'],
      ['yes', 'no', 'yes?'],
      ['3', '1', '2'],
      ['', ' ', '(a)'],
    ]) {
      expect(optionKeys(names)).toEqual(['1', '2', '3'])
    }
  })

  test('ten have one, the tenth is 0, further ones have none', () => {
    const names = Array.from({ length: 12 }, (_, index) => `x${index}`)
    expect(optionKeys(names)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', null, null])
    expect(optionOfKey(names, '0')).toBe(9)
  })

  test('a digit beyond the labels and the name of a label select nothing', () => {
    expect(optionOfKey(['A', 'B'], '3')).toBeNull()
    expect(optionOfKey(['A', 'B'], 'a')).toBeNull()
  })
})

describe('the keys of commands', () => {
  const press = (key: string, shiftKey = false) => commandOf({ key, shiftKey }, ['A', 'B', 'S', 'n'])

  test('are letters, also where a label has the letter', () => {
    expect(press('c')).toEqual({ kind: 'cannot-tell' })
    expect(press('b')).toEqual({ kind: 'bad-question' })
    expect(press('s')).toEqual({ kind: 'skip' })
    expect(press('2')).toEqual({ kind: 'option', index: 1 })
    expect(commandKey('skip')).toBe('S')
  })

  test('Shift and Enter is nothing, so that it cannot submit by accident', () => {
    expect(press('Enter')).toEqual({ kind: 'submit' })
    expect(press('Enter', true)).toBeNull()
  })
})

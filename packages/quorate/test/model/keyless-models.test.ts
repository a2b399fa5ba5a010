import { describe, expect, test } from 'vitest'
import { manualModel } from '../../src/model/manual-model.ts'
import { ModelError } from '../../src/model/model-error.ts'
import { replayModel } from '../../src/model/replay-model.ts'
import { scriptedModel } from '../../src/model/scripted-model.ts'
import { modelErrorFrom, requestOf } from './requests.ts'

describe('a scripted model', () => {
  test('says its lines in order, records what it was asked, and is loud at the end', async () => {
    const late = new ModelError('time-out', 'late', { charged: 'unknown' })
    const model = scriptedModel('x', ['one', late, { text: 'three', finish: 'length' }])
    expect((await model.call(requestOf('a'))).text).toBe('one')
    expect(await modelErrorFrom(model.call(requestOf('b')))).toBe(late)
    expect((await model.call(requestOf('c'))).finish).toBe('length')
    const error = await modelErrorFrom(model.call(requestOf('d')))
    expect(error.kind).toBe('exhausted')
    expect(error.message).toBe('scripted/x: call 4, but the script has 3 lines')
    expect(model.requests.map(({ messages }) => messages[1]?.content)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('a replay', () => {
  test('answers what was answered before and nothing else', async () => {
    const reply = await scriptedModel('x', ['before']).call(requestOf('asked'))
    const model = replayModel('openai/gpt-5', {
      find: async (id, { messages }) => (id === 'openai/gpt-5' && messages[1]?.content === 'asked' ? reply : null),
    })
    expect(await model.call(requestOf('asked'))).toEqual(reply)
    expect((await modelErrorFrom(model.call(requestOf('new')))).kind).toBe('exhausted')
  })
})

describe('a person', () => {
  test('is asked one thing at a time', async () => {
    const open: ((typed: string) => void)[] = []
    const model = manualModel('eve', () => new Promise((resolve) => open.push(resolve)))
    const answers = [model.call(requestOf('first')), model.call(requestOf('second'))]
    await new Promise(setImmediate)
    expect(open).toHaveLength(1)
    open[0]?.('A')
    expect((await answers[0])?.text).toBe('A')
    await new Promise(setImmediate)
    open[1]?.('B')
    expect((await answers[1])?.text).toBe('B')
  })

  test('who types nothing gave no answer, and the next question still comes', async () => {
    const typed = ['  ', 'C']
    const model = manualModel('eve', async () => typed.shift() ?? '')
    expect((await modelErrorFrom(model.call(requestOf('?')))).kind).toBe('empty')
    expect((await model.call(requestOf('?'))).text).toBe('C')
  })
})

import { expect, test } from 'vitest'
import { chooseSetting } from '../../src/evaluation/choose-setting.ts'

const candidate = (name: string, act: number, budgetUsed = 0.5) => ({ name, act, budgetUsed })

test('chooseSetting takes the most automation', () => {
  expect(chooseSetting([candidate('simple', 0.3), candidate('better', 0.4)])?.name).toBe('better')
})

test('chooseSetting prefers the simpler one within a point', () => {
  expect(chooseSetting([candidate('simple', 0.395), candidate('better', 0.4)])?.name).toBe('simple')
})

test('chooseSetting passes over a setting that used more than its budget', () => {
  expect(chooseSetting([candidate('kept', 0.1), candidate('overspent', 0.9, 1.01)])?.name).toBe('kept')
  expect(chooseSetting([candidate('overspent', 0.9, 1.01)])).toBeNull()
})

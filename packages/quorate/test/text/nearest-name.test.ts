import { expect, test } from 'vitest'
import { closestName, editsBetween, nearestName } from '../../src/text/nearest-name.ts'

test('counts insertions, omissions, replacements and swapped neighbours', () => {
  const pairs = [
    ['beta', 'beta', 0],
    ['', 'beta', 4],
    ['bta', 'beta', 1],
    ['betta', 'beta', 1],
    ['bets', 'beta', 1],
    ['beat', 'beta', 1],
    ['kitten', 'sitting', 3],
  ] as const
  for (const [left, right, edits] of pairs) {
    expect([editsBetween(left, right), editsBetween(right, left)], `${left} ${right}`).toEqual([edits, edits])
  }
})

test('suggests the closest flag, key or command, and none that is far from all', () => {
  const names = ['calibrate', 'decide', 'debate', 'serve']
  expect(['decied', 'callibrate', 'srve', 'xyz-nothing'].map((typed) => closestName(typed, names))).toEqual([
    'decide',
    'calibrate',
    'serve',
    undefined,
  ])
})

test('suggests a label ignoring case, blanks and punctuation, with one edit in short names and two in longer ones', () => {
  const names = ['Refund', 'Lost parcel', 'VIP']
  expect(['refund!', 'lost-parcl', 'vpi', 'vxx', 'other'].map((wanted) => nearestName(wanted, names))).toEqual([
    'Refund',
    'Lost parcel',
    'VIP',
    null,
    null,
  ])
})

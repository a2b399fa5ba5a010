import type { Decision, Step } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { debatePlay, type Play } from '../../src/report/debate-play.ts'
import { styleFor } from '../../src/text/style.ts'
import { textColumns } from '../../src/text/text-columns.ts'

const style = styleFor({ color: false })
const page = { width: 80, style }

const first: Step = { round: 1, answer: 'B', threshold: 0.93, lower: null, reason: 'not-nominated', score: 0.7451 }
const second: Step = {
  round: 2,
  answer: 'A',
  threshold: 0.93,
  lower: 0.95,
  neighbours: 1840,
  successes: 1784,
  mean: 0.9696,
  envelope: 0,
  slack: 0.0196,
}
const act: Decision = { kind: 'act', round: 2, answer: 'A', bound: 0.95, path: [first, second] }
const play: Play = {
  question: 'A lease runs from 16 January 2029 to 10 May 2029, both days included. How many days does it last?',
  options: { A: '115', B: '114' },
  gold: 'A',
  rounds: [
    [
      { agent: 'ada', answer: 'B', conf: { verbal: 0.9 } },
      { agent: 'bob', answer: 'A', conf: { verbal: 1 } },
      { agent: 'cleo', answer: null },
    ],
    [
      { agent: 'ada', answer: 'A', conf: { verbal: 1 } },
      { agent: 'bob', answer: 'A', conf: { verbal: 0.95 } },
      { agent: 'cleo', answer: 'A' },
    ],
  ],
  decision: act,
  threshold: 0.93,
  comparison: 'cells',
}

describe('a play', () => {
  test('shows picks, panel, bar, counts, decision and the right answer', () => {
    expect(debatePlay(play, page).join('\n')).toBe(`\
  A lease runs from 16 January 2029 to 10 May 2029, both days included. How many
  days does it last?
  A 115   B 114
              0.5                                     threshold 0.930 ┃        1
  round 1     ada B  90 %   bob A 100 %   cleo no vote   panel B      ○ continue
              not compared: its score 0.745 is too low
  round 2     ada A 100 %   bob A  95 %   cleo A   panel A (was B)         ● act
  bound 0.950 ████████████████████████████████████████████████████████┃██▒▒▒····
              of 1,840 labelled debates that went the same way, 1,784 were right
  ● act in round 2 with A: the bound 0.950 reaches the threshold 0.930
    the right answer is A (115): the action was right`)
  })

  test('marks a wrong action', () => {
    expect(debatePlay({ ...play, gold: 'B' }, page).at(-1)).toBe(
      '  ✕ the right answer is B (114): the action was wrong',
    )
  })

  test('reports for a deferral whether acting would have been right', () => {
    const low: Step = { ...second, lower: 0.92996, slack: 0.03964 }
    const decision: Decision = { kind: 'defer', reason: 'bound-low', path: [first, low] }
    expect(debatePlay({ ...play, gold: 'B', decision }, { ...page, width: 140 }).slice(-2)).toEqual([
      '  ◆ defer to a person (bound-low): no round that can be acted on met the threshold; best bound in 2 rounds 0.92996, threshold 0.93000',
      "    the right answer is B (114): acting on the panel's A would have been wrong",
    ])
  })

  test.each([
    [
      'bound-low',
      'no round that can be acted on met the threshold; its score stayed too low to be compared in 1 round',
    ],
    ['too-few-labels', 'too few labelled debates to compare with in 1 round'],
    ['uncalibrated', 'this panel is not the one that was calibrated'],
    ['budget-infeasible', 'the budget is too small to act on anything'],
  ] as const)('a deferral for %s says why', (reason, sentence) => {
    const decision: Decision = { kind: 'defer', reason, path: [first] }
    expect(debatePlay({ ...play, decision }, { ...page, width: 140 }).join('\n')).toContain(
      `◆ defer to a person (${reason}): ${sentence}`,
    )
  })

  test('removes control sequences from hostile text and keeps every line within the width', () => {
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u202eA\r\n\u009b31m'
    const long = `${hostile}${'x'.repeat(300)} 東京${hostile}`
    const steps = act.path.map((step) => ({ ...step, answer: long }))
    const decision: Decision = { ...act, answer: long, path: steps }
    const lines = debatePlay(
      {
        ...play,
        question: long.repeat(3),
        options: { [long]: long, B: hostile },
        gold: long,
        rounds: play.rounds.map((turns) => turns.map((turn) => ({ ...turn, agent: long, answer: long }))),
        decision,
      },
      page,
    )
    expect(lines.join('')).not.toMatch(/\p{C}/u)
    for (const line of lines) expect(textColumns(line)).toBeLessThanOrEqual(80)
  })
})

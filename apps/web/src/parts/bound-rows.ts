import type { VerdictFigures } from 'quorate/contract'
import type { BoundRow } from 'quorate/figures'

const WORDS = {
  round: (round: number) => `round ${round}`,
  stepReasons: {
    'too-few-labels': 'too few labelled debates',
    'no-vote': 'no agent voted',
    tie: 'the panel is tied',
    'no-news': 'nobody changed their mind in this round',
    'not-nominated': 'not compared: score too low',
    'score-low': 'not compared: score too low',
    'kind-blocked': 'not compared: debates like this were not right often enough in the pilot',
    'kind-vetoed': 'refused: counted debates of this kind were not right often enough',
    'class-refused': 'refused: the floor is not shown for debates like this',
    'answer-refused': 'refused: the budget of this answer is not shown to hold',
    'kind-unseen': 'refused: no such debate was seen in the pilot',
    'group-deferred': 'refused: this group always goes to a person',
    'nothing-certified': 'the certificate acts on nothing',
    'stopped-before': 'refused in an earlier round',
  },
} as const

/** The rounds of a decision as bars; the round that decided has its mark. A step that lacks a part has no bar. */
export function boundRows({ kind, path }: VerdictFigures): readonly BoundRow[] {
  return path.map((step, index) => {
    const { lower, mean, envelope, slack, neighbours: rows, successes, reason } = step
    const label = WORDS.round(step.round)
    if (lower === null || mean === undefined || slack === undefined || rows === undefined || successes === undefined) {
      return { label, lower: null, reason: reason === undefined ? 'no bound' : WORDS.stepReasons[reason] }
    }
    const mark = index === path.length - 1 && kind !== 'continue' ? kind : null
    return { label, lower, mean, slack, rows, successes, mark, envelope: envelope ?? mean - slack - lower }
  })
}

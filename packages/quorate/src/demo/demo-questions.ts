import { SHIFTED_MIX } from '../simulated/questions/draw-question.ts'
import type { SimulatedDebate } from '../simulated/simulate-debate.ts'
import { simulatePanel } from '../simulated/simulate-panel.ts'

/** A question of the demo as a line of a file has it. */
export type DemoQuestion = Omit<SimulatedDebate, 'rounds'>

export interface DemoQuestions {
  /** To calibrate on. */
  readonly labelled: readonly DemoQuestion[]
  /** To be decided. Their answers are known too, since the demo made them; the decisions do not read them. */
  readonly fresh: readonly DemoQuestion[]
}

export interface DemoSizes {
  readonly labelled: number
  readonly fresh: number
}

/** Apart from the stream of the usual questions. */
const SHIFT_STREAM = 0x3c6ef372

/** Ids begin so, which keeps the questions in the order of their arrival and tells the two kinds apart. */
const ID_STARTS = Object.freeze({ labelled: 'labelled', fresh: 'new' })

/** No question is asked twice. With `shift` the new ones are of another mix. */
export function drawDemoQuestions(seed: number, sizes: DemoSizes, shift: boolean): DemoQuestions {
  const usual = simulatePanel({ seed, count: sizes.labelled + (shift ? 0 : sizes.fresh) })
  const labelled = usual.slice(0, sizes.labelled)
  const except = labelled.map(({ question }) => question)
  const shifted = { seed: (seed ^ SHIFT_STREAM) >>> 0, count: sizes.fresh, mix: SHIFTED_MIX, except }
  const fresh = shift ? simulatePanel(shifted) : usual.slice(sizes.labelled)
  return { labelled: labelled.map(numbered('labelled')), fresh: fresh.map(numbered('fresh')) }
}

export function isFresh(id: string): boolean {
  return id.startsWith(ID_STARTS.fresh)
}

export function questionLines(questions: readonly DemoQuestion[]): string {
  return questions.map((question) => `${JSON.stringify(question)}\n`).join('')
}

function numbered(kind: keyof typeof ID_STARTS): (debate: SimulatedDebate, index: number) => DemoQuestion {
  return ({ rounds: _, ...question }, index) => ({
    ...question,
    id: `${ID_STARTS[kind]}-${String(index + 1).padStart(5, '0')}`,
  })
}

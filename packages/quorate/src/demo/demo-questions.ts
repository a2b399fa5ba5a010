import { SHIFTED_MIX } from '../simulated/questions/draw-question.ts'
import type { SimulatedDebate } from '../simulated/simulate-debate.ts'
import { simulatePanel } from '../simulated/simulate-panel.ts'

/** A question of the demo, as in a line of its file. */
export type DemoQuestion = Omit<SimulatedDebate, 'rounds'>

export interface DemoQuestions {
  /** The questions to calibrate on. */
  readonly labelled: readonly DemoQuestion[]
  /** The questions to decide. The demo made them, so it knows their answers, but the decisions do not read them. */
  readonly fresh: readonly DemoQuestion[]
}

export interface DemoSizes {
  readonly labelled: number
  readonly fresh: number
}

/** Separates the random stream of shifted questions from that of the usual ones. */
const SHIFT_STREAM = 0x3c6ef372

/** Prefixes of the IDs. They keep the questions in order of arrival and distinguish the two kinds. */
const ID_PREFIXES = Object.freeze({ labelled: 'labelled', fresh: 'new' })

/** No question occurs twice. With `shift` the new questions have another mix. */
export function drawDemoQuestions(seed: number, sizes: DemoSizes, shift: boolean): DemoQuestions {
  const usual = simulatePanel({ seed, count: sizes.labelled + (shift ? 0 : sizes.fresh) })
  const labelled = usual.slice(0, sizes.labelled)
  const except = labelled.map(({ question }) => question)
  const shifted = { seed: (seed ^ SHIFT_STREAM) >>> 0, count: sizes.fresh, mix: SHIFTED_MIX, except }
  const fresh = shift ? simulatePanel(shifted) : usual.slice(sizes.labelled)
  return { labelled: labelled.map(numbered('labelled')), fresh: fresh.map(numbered('fresh')) }
}

export function isFresh(id: string): boolean {
  return id.startsWith(ID_PREFIXES.fresh)
}

export function questionLines(questions: readonly DemoQuestion[]): string {
  return questions.map((question) => `${JSON.stringify(question)}\n`).join('')
}

function numbered(kind: keyof typeof ID_PREFIXES): (debate: SimulatedDebate, index: number) => DemoQuestion {
  return ({ rounds: _, ...question }, index) => ({
    ...question,
    id: `${ID_PREFIXES[kind]}-${String(index + 1).padStart(5, '0')}`,
  })
}

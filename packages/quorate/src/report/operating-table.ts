import { clopperPearsonInterval, type Standing } from '@quorate/certificate'
import { percentText, percentWithInterval } from '../text/number-text.ts'
import { MARKS, type Style } from '../text/style.ts'
import { type Alignment, tableLines } from '../text/table.ts'
/** The results of a policy on a set of questions. */
export interface PolicyResult {
  readonly name: string
  readonly questions: number
  readonly acted: number
  /** Questions that were acted on with a wrong answer. */
  readonly wrong: number
  /** Sum of the debated rounds over all questions. A deferral counts as the maximum number of rounds. */
  readonly rounds: number
  /** Calls to agents in those rounds. */
  readonly calls: number
}

const CONFIDENCE = 0.95
const HEADER = ['', 'Act %', 'Acc|Act %', 'Wrong actions %', 'Rnd', 'Calls']
const ALIGNMENTS: readonly Alignment[] = ['left', 'right', 'right', 'right', 'right', 'right']

/** One line per policy: a mark for its standing, then the rates with their 95 % intervals. */
export function operatingTable(points: readonly PolicyResult[], beta: number, style: Style): string[] {
  const [header = '', ...rows] = tableLines(
    [HEADER, ...points.map((point) => operatingRow(point, beta, style))],
    ALIGNMENTS,
  )
  return [style.faint(header), ...rows]
}

/** Compares the whole 95 % interval of the wrong actions with beta. */
export function standingOfPoint({ acted, wrong, questions }: PolicyResult, beta: number): Standing {
  if (acted === 0) return 'no evidence'
  const { lower, upper } = clopperPearsonInterval(wrong, questions, CONFIDENCE)
  if (lower > beta) return 'over'
  return upper <= beta ? 'within' : 'unclear'
}

/** For example `1.2 (0.8–1.8)`, in per cent. */
export function rateText(count: number, of: number): string {
  return of === 0 ? 'none' : percentWithInterval(count / of, clopperPearsonInterval(count, of, CONFIDENCE))
}

function operatingRow(point: PolicyResult, beta: number, style: Style): string[] {
  const { name, questions, acted, wrong, rounds, calls } = point
  return [
    `${mark(standingOfPoint(point, beta), style)} ${name}`,
    percentText(acted / questions),
    rateText(acted - wrong, acted),
    rateText(wrong, questions),
    (rounds / questions).toFixed(2),
    (calls / questions).toFixed(1),
  ]
}

function mark(standing: Standing, style: Style): string {
  if (standing === 'within') return style.act(MARKS.act)
  return standing === 'over' ? style.wrong(MARKS.wrong) : style.defer(MARKS.defer)
}

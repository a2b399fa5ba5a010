import {
  type Budget,
  evaluateSplit,
  isRightAt,
  POLICIES,
  type PolicyName,
  type ReadDebate,
  type ReadDebates,
} from '@quorate/certificate'
import { readDebateFile } from '../files/read-debate-file.ts'
import type { PolicyResult } from '../report/operating-table.ts'
import type { DebatesOfQuestions } from '../run/calibration/calibration-debates.ts'
import type { DemoDecision } from './decided.ts'
import { isFresh } from './demo-questions.ts'

/** The best-known rules. `quorate evaluate` compares all of them. */
const COMPARED = [
  'learn-then-test',
  'confidence-threshold',
  'consensus',
  'majority-final',
] as const satisfies readonly PolicyName[]

/** All debates of the demo, with all their rounds. */
export interface DemoDebates extends DebatesOfQuestions {
  readonly labelled: ReadDebates
  readonly fresh: ReadDebates
}

export async function readDemoDebates(path: string): Promise<DemoDebates> {
  const { read, questionOf } = await readDebateFile(path, { beliefs: 'stated' })
  const part = (wanted: boolean): ReadDebates => ({
    reading: read.reading,
    debates: read.debates.filter(({ record }) => isFresh(record.id) === wanted),
  })
  return { read, questionOf, labelled: part(false), fresh: part(true) }
}

/** The results of the demo's own run on the new questions. */
export function decidedPoint(
  name: string,
  decided: readonly DemoDecision[],
  { rounds, agents }: PanelSize,
): PolicyResult {
  const outcomes = decided.map(({ debate, decision }) =>
    decision.kind === 'act'
      ? { rounds: decision.round, isActed: true, isRight: decision.answer === debate.gold }
      : { rounds, isActed: false, isRight: false },
  )
  return pointOf(name, outcomes, agents)
}

/**
 * The results of other rules, fitted on the same labelled debates and applied to the same new questions. `log` is called
 * with a text that describes the current step.
 */
export function comparedPoints(
  debates: DemoDebates,
  budget: Budget,
  seed: number,
  size: PanelSize,
  log: (text: string) => void,
): PolicyResult[] {
  const { read, questionOf, fresh } = debates
  const rows = Uint32Array.from(read.debates.keys())
  const rowsOf = (wanted: boolean) => rows.filter((row) => isFresh(read.debates[row]?.record.id ?? '') === wanted)
  const runs = evaluateSplit(
    read,
    { train: rowsOf(false), test: rowsOf(true) },
    {
      policies: POLICIES.filter(({ name }) => COMPARED.some((compared) => compared === name)),
      budgets: [budget],
      seed,
      questionOf,
      progress: (name) => log(`comparing with ${name}`),
    },
  )
  return COMPARED.flatMap((name) => {
    const run = runs.find((one) => one.name === name)
    const [actions] = run?.kind === 'ran' ? run.actions : []
    return actions === undefined ? [] : [replayedPoint(name, fresh.debates, actions.actedAt, size)]
  })
}

export interface PanelSize {
  readonly rounds: number
  readonly agents: number
}

/** `actedAt` has the round of the action for each panel, and 0 for a deferral. */
export function replayedPoint(
  name: string,
  debates: readonly ReadDebate[],
  actedAt: ArrayLike<number>,
  size: PanelSize,
): PolicyResult {
  const outcomes = debates.map((debate, row) => {
    const round = actedAt[row] ?? 0
    const isRight = round > 0 && isRightAt(debate, round)
    return { rounds: round === 0 ? size.rounds : round, isActed: round > 0, isRight }
  })
  return pointOf(name, outcomes, size.agents)
}

function pointOf(
  name: string,
  outcomes: readonly { readonly rounds: number; readonly isActed: boolean; readonly isRight: boolean }[],
  agents: number,
): PolicyResult {
  const acted = outcomes.filter(({ isActed }) => isActed)
  const rounds = outcomes.reduce((sum, one) => sum + one.rounds, 0)
  const wrong = acted.filter(({ isRight }) => !isRight).length
  return { name, questions: outcomes.length, acted: acted.length, wrong, rounds, calls: rounds * agents }
}

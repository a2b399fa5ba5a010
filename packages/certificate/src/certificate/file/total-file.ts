import type { Budget } from '../../budget.ts'
import type { KindCode } from '../../kinds/kind.ts'
import type { Split } from '../../knn/split-rows.ts'
import type { Score } from '../../scores/score.ts'
import type { KindClass } from '../../total/classes.ts'
import type { TotalOutcome } from '../../total/count.ts'
import type { TotalDesign } from '../../total/design.ts'
import type { Cuts } from '../../total/policy-path.ts'
import type { StoppingRows } from '../../total/stopping-rows.ts'
import type { ResolvedReading } from '../read-debates.ts'
import type { TotalOutcomes } from '../stopping-rule.ts'
import type { TotalParts } from '../total-certificate.ts'
import { type CertificateFile, sealed } from './certificate-file.ts'

/**
 * A `total` certificate as JSON: the score, the design that pilot rows fixed, the rows as numbers, and the counts.
 * Everything after the score can be recomputed from the rows. Loading does so and refuses a file whose design or counts
 * differ.
 */
export interface TotalFile extends CertificateFile {
  readonly method: 'total'
  readonly profile: 'total'
  readonly panel: ResolvedReading
  readonly ids: readonly string[]
  readonly score: Score
  readonly design: DesignFile
  readonly split: Split
  readonly pilot: RowsFile
  readonly neighbours: RowsFile
  readonly neighbourGroups: readonly string[] | null
  readonly groupConditional: boolean
  readonly deferredGroups: readonly string[]
  /** By group; '' if all questions are counted together. */
  readonly outcomes: Readonly<Record<string, TotalOutcome>>
}

export interface DesignFile {
  readonly least: number
  readonly blocked: readonly KindCode[]
  /** A null cut means that no score is enough in that round. */
  readonly policies: readonly CutsFile[]
  /** Cuts of the answers that have their own budget, policy by policy. */
  readonly ownCuts: readonly (readonly CutsFile[])[]
  readonly classes: readonly KindClass[]
  readonly tests: number
}

type CutsFile = readonly (number | null)[]

/** Row-major over rows x rounds. */
export interface RowsFile {
  readonly rounds: number
  readonly scores: readonly number[]
  readonly kinds: readonly KindCode[]
  /** One digit each. */
  readonly excluded: string
  readonly right: string
  /** Number of each row's question; null if every row is its own question. */
  readonly questions: readonly number[] | null
  /** The panel's answers; stored only if an answer has its own budget. */
  readonly answers: { readonly names: readonly string[]; readonly of: readonly number[] } | null
  /** If a model graded: the rows that a person also graded, and the row-rounds that only the model graded as right. */
  readonly audit: { readonly rows: string; readonly misjudged: string } | null
}

export function totalToJson(parts: TotalParts & { readonly design: TotalDesign }, outcomes: TotalOutcomes): TotalFile {
  const { design, pilot, neighbours, budget, ...kept } = parts
  const hasAnswers = design.ownCuts.length > 0
  return sealed({
    method: 'total',
    profile: 'total',
    ...kept,
    budget: ownBudget(budget),
    design: {
      ...design,
      policies: design.policies.map(cutsToJson),
      ownCuts: design.ownCuts.map((policy) => policy.map(cutsToJson)),
    },
    pilot: rowsToJson(pilot, hasAnswers),
    neighbours: rowsToJson(neighbours, hasAnswers),
    // Names are untrusted and may be `__proto__`, so the object has no prototype.
    outcomes: Object.assign(Object.create(null), outcomesByName(outcomes)),
  })
}

/** As a file has them. */
export function outcomesByName(outcomes: TotalOutcomes): Readonly<Record<string, TotalOutcome>> {
  return Object.fromEntries([...outcomes].map(([group, outcome]) => [group ?? '', outcome]))
}

function cutsToJson(cuts: Cuts): CutsFile {
  return cuts.map((cut) => (cut === Infinity ? null : cut))
}

/** Members in the order in which a file is read, so a loaded certificate writes the same bytes. */
function ownBudget({ beta, delta, epsilon, selectedUpTo, total }: Budget): Budget {
  const parts = { beta, delta, epsilon, ...(selectedUpTo === undefined ? {} : { selectedUpTo }) }
  if (total === undefined) return parts
  return {
    ...parts,
    total: {
      ...(total.kind === undefined ? {} : { kind: total.kind }),
      ...(total.delta === undefined ? {} : { delta: total.delta }),
      ...(total.floor === undefined ? {} : { floor: total.floor }),
      ...(total.answers === undefined ? {} : { answers: total.answers }),
      ...(total.attempt === undefined ? {} : { attempt: total.attempt }),
    },
  }
}

export function rowsToJson(rows: StoppingRows, hasAnswers = false): RowsFile {
  const { rounds, scores, kinds, excluded, right, questions, answers, audit } = rows
  return {
    rounds,
    scores: Array.from(scores),
    kinds: Array.from(kinds),
    excluded: excluded.join(''),
    right: right.join(''),
    questions: questions && Array.from(questions.of),
    answers: hasAnswers && answers !== undefined ? { names: answers.names, of: Array.from(answers.of) } : null,
    audit: audit === undefined ? null : { rows: audit.rows.join(''), misjudged: audit.misjudged.join('') },
  }
}

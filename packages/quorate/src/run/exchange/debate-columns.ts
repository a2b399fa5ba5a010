import { type ReadColumnMap, readFieldColumns } from '../../questions/column-map.ts'
import { type Columns, columnsOf } from '../../questions/csv-columns.ts'
import { OPTION_PREFIX, type OptionLayout, optionLayout } from '../../questions/csv-options.ts'
import type { ColumnMap } from '../../questions/csv-questions.ts'

/** The columns of a table of debates with one turn per row. */
export interface TurnColumns extends ColumnMap {
  readonly round?: string
  readonly agent?: string
  readonly answer?: string
  /** The probability that the agent stated for its answer: `conf.verbal`. */
  readonly confidence?: string
  /** One column with a JSON object of option to probability, or a map from the name of an option to its column. */
  readonly beliefs?: string | ReadonlyMap<string, string>
  readonly text?: string
}

const BELIEF_PREFIX = 'beliefs.'
const OF_QUESTION = ['id', 'question', 'options', 'gold', 'group']
const OF_TURN = ['round', 'agent', 'answer', 'confidence', 'beliefs', 'text']

export function readDebateColumns(entries: readonly string[]): ReadColumnMap<TurnColumns> {
  return readFieldColumns(entries, { fields: [...OF_QUESTION, ...OF_TURN], prefixes: [OPTION_PREFIX, BELIEF_PREFIX] })
}

export interface DebateLayout {
  readonly id: number
  readonly question: number | null
  readonly gold: number | null
  readonly group: number | null
  readonly options: OptionLayout
  readonly round: number
  readonly agent: number
  readonly answer: number
  readonly confidence: number | null
  readonly text: number | null
  readonly beliefs: BeliefLayout
  /** Fields that must be the same in all rows of a debate, or blank after the first. */
  readonly shared: readonly (readonly [field: string, column: number])[]
}

export type BeliefLayout =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly column: number }
  | { readonly kind: 'several'; readonly columns: readonly (readonly [string, number])[] }

export function debateLayout(header: readonly string[], map: TurnColumns, path: string): DebateLayout {
  const columns = columnsOf(header, path)
  const about = {
    question: columns.optional('question', map.question),
    gold: columns.optional('gold', map.gold),
    group: columns.optional('group', map.group),
  }
  const options = optionLayout(columns, map)
  const ofOptions = options.kind === 'one' ? ([['options', options.column]] as const) : options.columns
  const shared = [...Object.entries(about), ...ofOptions].flatMap(([field, column]) =>
    column === null ? [] : [[field, column] as const],
  )
  return {
    ...about,
    options,
    shared,
    id: columns.required('id', map.id),
    round: columns.required('round', map.round),
    agent: columns.required('agent', map.agent),
    answer: columns.required('answer', map.answer),
    confidence: columns.optional('confidence', map.confidence),
    text: columns.optional('text', map.text),
    beliefs: beliefLayout(columns, map),
  }
}

function beliefLayout(columns: Columns, { beliefs }: TurnColumns): BeliefLayout {
  const one = typeof beliefs === 'object' ? null : columns.optional('beliefs', beliefs)
  if (one !== null) return { kind: 'one', column: one }
  const several = columns.named(BELIEF_PREFIX, typeof beliefs === 'object' ? beliefs : undefined)
  return several.length === 0 ? { kind: 'none' } : { kind: 'several', columns: several }
}

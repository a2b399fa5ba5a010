import { CertificateError, parseDebate } from '@quorate/certificate'
import { byName } from '../../debate/debate-record.ts'
import { FileError, refusal } from '../../files/file-error.ts'
import { cellOf } from '../../questions/csv-columns.ts'
import { optionsIn } from '../../questions/csv-options.ts'
import { type CsvRow, csvTable } from '../../questions/csv-rows.ts'
import { LIMITS } from '../../record/limits.ts'
import { jsonOf } from '../../record/parse-stored.ts'
import { plainText } from '../../text/plain-text.ts'
import type { RecordedDebate } from '../calibration/calibration-debates.ts'
import { type BeliefLayout, type DebateLayout, debateLayout, type TurnColumns } from './debate-columns.ts'

/**
 * Debates of a CSV file with one turn per row. Columns: id, round (from 1), agent, answer (blank: an abstention) and optionally
 * question, options, gold, group, confidence, beliefs, text. The rows of a debate must be adjacent. Fields of its question may
 * be given in the first row alone.
 */
export async function* csvDebates(path: string, map: TurnColumns = {}): AsyncGenerator<RecordedDebate> {
  const name = plainText(path)
  const { header, rows } = await csvTable(path)
  if (header === null) return
  const layout = debateLayout(header, map, path)
  const firstLines = new Map<string, number>()
  let current: Gathered | null = null
  for await (const row of rows) {
    const place = `${name}: line ${row.line}`
    const id = cellOf(row.cells, layout.id)
    if (id === null) throw refusal(`${place}: id`, 'a name that is not blank', id)
    if (current !== null && current.id !== id) yield recorded(current, layout, name)
    if (current === null || current.id !== id) {
      const before = firstLines.get(id)
      if (before !== undefined) {
        throw refusal(`${place}: id`, `in rows that stand together: a debate of this id began in line ${before}`, id)
      }
      firstLines.set(id, row.line)
      current = { id, first: row, rounds: new Map() }
    }
    addTurn(current, row, layout, place)
  }
  if (current !== null) yield recorded(current, layout, name)
}

/** The rows of one debate so far. */
interface Gathered {
  readonly id: string
  readonly first: CsvRow
  /** By round and agent. */
  readonly rounds: Map<number, Map<string, ReadTurn>>
}

interface ReadTurn {
  readonly line: number
  readonly turn: unknown
}

function addTurn({ first, rounds }: Gathered, { line, cells }: CsvRow, layout: DebateLayout, place: string): void {
  for (const [field, column] of layout.shared) {
    const [here, there] = [cellOf(cells, column), cellOf(first.cells, column)]
    if (here !== null && here !== there) {
      throw refusal(`${place}: ${plainText(field)}`, `as in line ${first.line} of the same debate, or blank`, here)
    }
  }
  const round = roundIn(cellOf(cells, layout.round), place)
  const agent = cellOf(cells, layout.agent)
  if (agent === null) throw refusal(`${place}: agent`, 'a name that is not blank', agent)
  const turns = rounds.get(round) ?? new Map<string, ReadTurn>()
  if (turns.has(agent)) throw refusal(`${place}: agent`, `one that has no turn in round ${round} yet`, agent)
  rounds.set(round, turns)
  const confidence = numberIn(cellOf(cells, layout.confidence), 'confidence', place)
  const text = cellOf(cells, layout.text)
  const turn = {
    agent,
    answer: cellOf(cells, layout.answer),
    beliefs: beliefsIn(cells, layout.beliefs, place),
    ...(layout.confidence === null ? {} : { conf: { verbal: confidence } }),
    ...(text === null ? {} : { text }),
  }
  turns.set(agent, { line, turn })
}

function recorded({ id, first, rounds }: Gathered, layout: DebateLayout, name: string): RecordedDebate {
  const place = `${name}: line ${first.line}`
  const grouped = Array.from({ length: rounds.size }, (_, index) => {
    const turns = rounds.get(index + 1)
    if (turns === undefined)
      throw refusal(`${place}: round`, `every number from 1 to ${rounds.size}`, [...rounds.keys()])
    return [...turns.values()]
  })
  const lines = grouped.map((turns) => turns.map(({ line }) => line))
  const question = cellOf(first.cells, layout.question)
  const value = {
    quorate: 1,
    id,
    group: cellOf(first.cells, layout.group),
    ...(question === null ? {} : { question }),
    options: optionsIn(first.cells, layout.options, place),
    gold: cellOf(first.cells, layout.gold),
    rounds: grouped.map((turns) => turns.map(({ turn }) => turn)),
  }
  const line = `line ${first.line}`
  checkTurns(value, { name, line, lines })
  return { value, place: line }
}

interface Places {
  readonly name: string
  readonly line: string
  /** By round and turn. */
  readonly lines: readonly (readonly number[])[]
}

/** Reports an error in a turn with the line of its row, because people look for the line, not for a place in the debate. */
function checkTurns(value: unknown, { name, line, lines }: Places): void {
  try {
    parseDebate(value, { elicitation: 'given', where: name, place: line })
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    const atLine = (own: number) => new CertificateError(name, `line ${own}: ${field}`, error.expected, error.received)
    const [, round = '', turn = '', field = ''] = /\.rounds\[(\d+)\]\[(\d+)\]\.?(.*)$/.exec(error.parameter) ?? []
    const own = lines[Number(round)]?.[Number(turn)]
    const shown = round === '' || own === undefined ? error : atLine(own)
    throw new FileError(shown.message, { cause: error })
  }
}

function roundIn(cell: string | null, place: string): number {
  const round = cell !== null && /^\d+$/.test(cell) ? Number(cell) : Number.NaN
  if (round >= 1 && round <= LIMITS.rounds) return round
  throw refusal(`${place}: round`, `a whole number from 1 to ${LIMITS.rounds}`, cell)
}

function beliefsIn(cells: readonly string[], layout: BeliefLayout, place: string): unknown {
  if (layout.kind === 'none') return null
  if (layout.kind === 'one') return objectIn(cellOf(cells, layout.column), place)
  const beliefs = layout.columns.flatMap(([option, column]) => {
    const value = numberIn(cellOf(cells, column), `beliefs.${plainText(option)}`, place)
    return value === null ? [] : [[option, value] as const]
  })
  return beliefs.length === 0 ? null : byName(beliefs)
}

function objectIn(cell: string | null, place: string): unknown {
  if (cell === null) return null
  const value = jsonOf(cell)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw refusal(`${place}: beliefs`, 'a JSON object of option to probability, or blank', cell)
}

function numberIn(cell: string | null, field: string, place: string): number | null {
  if (cell === null) return null
  // A spreadsheet may use a decimal comma.
  const value = Number(/^\d*,\d+$/.test(cell) ? cell.replace(',', '.') : cell)
  if (value >= 0 && value <= 1) return value
  throw refusal(`${place}: ${field}`, 'a number from 0 to 1, or blank', cell)
}

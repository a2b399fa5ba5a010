import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  type AgentTurn,
  CertificateError,
  type Debate,
  type Elicitation,
  type Panels,
  panelReader,
} from '@quorate/certificate'
import { plainText } from '../report/plain-text.ts'
import { FileError } from './file-error.ts'
import { asGrowingPanel, type GrowingPanel } from './growing-panel.ts'

export interface DebateFileOptions {
  /** Default: given where present, else stated, else vote. */
  readonly beliefs?: Elicitation
  /** Default: the rounds as recorded. */
  readonly growingPanel?: GrowingPanel
  /** Told now and then how many lines were read. */
  readonly progress?: (lines: number) => void
}

export interface DebateFile {
  /** The labelled debates, in the order of the file, all with the same number of rounds. Without any text. */
  readonly panels: Panels
  readonly rounds: number
  /** Debates without the right option, left out. */
  readonly unlabelled: number
  /** Debates that ask the same question share a key: the text where the file has it, else the id. */
  readonly questionOf: (id: string) => string
}

/** Labelled debates from a JSONL file, line by line: no text stays in memory. */
export async function readDebateFile(path: string, options: DebateFileOptions = {}): Promise<DebateFile> {
  const name = plainText(path)
  const reader = panelReader(options.beliefs === undefined ? {} : { beliefs: options.beliefs }, name)
  const questions = new Map<string, string>()
  let rounds: { readonly count: number; readonly line: number } | undefined
  let unlabelled = 0
  let line = 0
  for await (const text of linesOf(path)) {
    line++
    if (line % 1000 === 0) options.progress?.(line)
    if (text.trim() === '') continue
    const place = `line ${line}`
    const recorded = parsed(text, `${name}: ${place}`)
    const debate = prepared(recorded, options, `${name}: ${place}`)
    if (debate?.gold === undefined || debate.gold === null) {
      unlabelled++
      continue
    }
    const { record } = reader.add(debate, place)
    rounds ??= { count: record.rounds.length, line }
    if (record.rounds.length !== rounds.count) {
      throw new CertificateError(
        name,
        `${place}.rounds`,
        `of ${rounds.count} rounds like line ${rounds.line}: a debate that stopped early cannot be compared`,
        record.rounds.length,
      )
    }
    const { question } = debate as { question?: unknown } // not part of a debate, but files may have it
    if (typeof question === 'string') questions.set(record.id, question)
  }
  if (rounds === undefined)
    throw new FileError(`${name}: expected labelled debates, one a line, got none${because(line, unlabelled)}`)
  return {
    panels: reader.panels(),
    rounds: rounds.count,
    unlabelled,
    questionOf: (id) => questions.get(id) ?? id,
  }
}

function prepared(recorded: Debate, { beliefs, growingPanel }: DebateFileOptions, place: string): Debate {
  const debate = growingPanel ? asGrowingPanel(recorded, growingPanel, place) : recorded
  // Who asks for another reading does not want the beliefs: they may be why, and the door refuses broken ones.
  return beliefs === undefined || beliefs === 'given' ? debate : withoutBeliefs(debate)
}

function withoutBeliefs(debate: Debate): Debate {
  const rounds: unknown = debate?.rounds
  if (!Array.isArray(rounds) || !rounds.every((turns) => Array.isArray(turns))) return debate // the door says so
  return { ...debate, rounds: rounds.map((turns) => turns.map((turn: AgentTurn) => ({ ...turn, beliefs: null }))) }
}

function because(lines: number, unlabelled: number): string {
  return unlabelled === 0 ? ` in ${lines} lines` : `: ${unlabelled} debates have no "gold"`
}

function parsed(text: string, place: string): Debate {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new FileError(`${place}: expected one JSON object, got ${JSON.stringify(plainText(text).slice(0, 60))}`, {
      cause,
    })
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, 'utf8')
  try {
    yield* createInterface({ input: stream, crlfDelay: Infinity })
  } catch (cause) {
    throw new FileError(`cannot read ${plainText(path)}`, { cause })
  }
}

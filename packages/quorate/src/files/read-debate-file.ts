import { hash } from 'node:crypto'
import {
  type BeliefReading,
  CertificateError,
  type Debate,
  debateReader,
  hasLabel,
  parseDebate,
  questionKeys,
  type ReadDebates,
  turnCounts,
} from '@quorate/certificate'
import { type FileReading, READ_FROM } from '../text/left-out.ts'
import { plainText } from '../text/plain-text.ts'
import { FileError } from './file-error.ts'
import { asGrowingPanel, type GrowingPanel } from './growing-panel.ts'
import { checkDebateNames } from './plain-names.ts'
import { parseLine, readLines } from './read-lines.ts'
import { refuseQuestions } from './refuse-questions.ts'
import { withoutBeliefs } from './without-beliefs.ts'

/** How the turns of a file become the rounds of panels. */
export interface DebateReading {
  /** Default: `given` if a turn of the file has beliefs, else `stated` if one has a confidence, else `vote`. */
  readonly beliefs?: BeliefReading
  /** Default: the rounds as recorded. */
  readonly growingPanel?: GrowingPanel
}

export interface DebateFileOptions extends DebateReading {
  /** Called from time to time with the number of lines read. */
  readonly progress?: (lines: number) => void
}

export interface DebateFile {
  /** The labelled debates without any text, in the order of the file, all with the same number of rounds. */
  readonly read: ReadDebates
  readonly rounds: number
  /** Debates without a label. They are left out. */
  readonly unlabelled: number
  /** Debates that broke off. They are left out, because what they would have said later is unknown. */
  readonly failed: number
  /** Debates that ask the same question share a key: a digest of the text if the file has it, else the id. */
  readonly questionOf: (id: string) => string
  readonly reading: FileReading
}

/** Reads labelled debates from a JSONL file, line by line. No text stays in memory. */
export async function readDebateFile(path: string, options: DebateFileOptions = {}): Promise<DebateFile> {
  const name = plainText(path)
  const { beliefs } = options
  const asked = beliefs === undefined ? {} : { elicitation: beliefs }
  const reader = debateReader(beliefs === undefined ? {} : { beliefs }, name, { isCompact: true })
  const questions = new Map<string, string>()
  let rounds: RoundCount | undefined
  let unlabelled = 0
  let failed = 0
  let line = 0
  for await (const text of readLines(path)) {
    line++
    if (line % 1000 === 0) options.progress?.(line)
    if (text.trim() === '') continue
    const place = `line ${line}`
    const recorded = parseLine(text, `${name}: ${place}`) as Debate // as: its reader reports what is missing
    refuseQuestions(recorded, `${name}: ${place}`)
    checkDebateNames(recorded, `${name}: ${place}`)
    const debate = prepared(recorded, options, `${name}: ${place}`)
    try {
      if (!hasLabel(debate) || isBrokenOff(debate)) {
        const { isFailed } = parseDebate(debate, { ...asked, where: name, place })
        if (isFailed) failed++
        else unlabelled++
        continue
      }
      const { record } = reader.add(debate, place)
      rounds ??= { count: record.rounds.length, line }
      checkRounds(record.rounds.length, rounds, { name, place })
      const { question } = debate as { question?: unknown } // as: not part of a debate, but files may have it
      if (typeof question === 'string') questions.set(record.id, hash('sha256', question, 'base64'))
    } catch (error) {
      throw withAdvice(error, beliefs)
    }
  }
  if (rounds === undefined)
    throw new FileError(
      `${name}: expected labelled debates, one per line, got none${because(line, { unlabelled, failed })}`,
    )
  const read = reader.debates()
  const questionOf = (id: string) => questions.get(id) ?? id
  const reading = fileReading(read, questionOf)
  refuseUnread(reading, name)
  return { read, rounds: rounds.count, unlabelled, failed, questionOf, reading }
}

export function fileReading({ debates, reading }: ReadDebates, questionOf: (id: string) => string): FileReading {
  const questions = new Set(questionKeys(debates, questionOf)).size
  const unjudged = debates.filter(({ record }) => record.truth?.kind === 'unjudged').length
  return { beliefs: reading.elicitation, ...turnCounts(debates), questions, unjudged }
}

/**
 * Refuses a file in which no answer has what the elicitation reads. Every agent would abstain, and nothing could be
 * learnt, without a visible reason.
 */
export function refuseUnread({ beliefs, answered, missing }: FileReading, name: string): void {
  if (missing === 0 || missing < answered) return
  throw new FileError(
    `${name}: no turn has ${READ_FROM[beliefs]}, which beliefs: ${beliefs} reads. To read the answers alone, use --beliefs vote, or beliefs: vote in the config`,
  )
}

interface RoundCount {
  readonly count: number
  /** The line where this count was first seen. */
  readonly line: number
}

function checkRounds(
  received: number,
  { count, line }: RoundCount,
  { name, place }: { name: string; place: string },
): void {
  if (received === count) return
  const expected = `${count === 1 ? '1 round' : `${count} rounds`} like line ${line}: a debate that stopped early cannot be compared`
  throw new CertificateError(name, `${place}.rounds`, expected, received)
}

function isBrokenOff(debate: unknown): boolean {
  return typeof debate === 'object' && debate !== null && 'failure' in debate && (debate.failure ?? null) !== null
}

function prepared(recorded: Debate, { beliefs, growingPanel }: DebateFileOptions, place: string): Debate {
  const debate = growingPanel ? asGrowingPanel(recorded, growingPanel, place) : recorded
  return beliefs === undefined || beliefs === 'given' ? debate : withoutBeliefs(debate, place)
}

/** Adds to an error about beliefs that the file can be read without them. */
function withAdvice(error: unknown, beliefs: BeliefReading | undefined): unknown {
  if (!(error instanceof CertificateError) || (beliefs ?? 'given') !== 'given') return error
  if (!/\.beliefs(\.|\[|$)/.test(error.parameter)) return error
  return new FileError(
    `${error.message}. Correct it, or read the answers without it: --beliefs stated or --beliefs vote`,
  )
}

function because(
  lines: number,
  { unlabelled, failed }: { readonly unlabelled: number; readonly failed: number },
): string {
  if (unlabelled > 0)
    return `: ${unlabelled} debates have no "gold", "correct" or "grades"${failed > 0 ? `, ${failed} failed` : ''}`
  if (failed > 0) return `: ${failed} debates failed`
  return lines === 0 ? ': the file is empty' : ` in ${lines} lines`
}

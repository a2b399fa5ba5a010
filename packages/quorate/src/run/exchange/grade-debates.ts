import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { type Debate, type Grade, type ReadPanel, readPanels } from '@quorate/certificate'
import { representatives } from '../../record/open-answers.ts'
import type { RecordedDebate } from '../calibration/calibration-panels.ts'

/** A program that says whether an answer is right: a test suite, a checker. */
export interface CommandGrader {
  /** Started as it is, without a shell. */
  readonly command: string
  readonly args: readonly string[]
  /** One that takes longer is ended and could not tell. */
  readonly timeOutMs: number
}

/** What the program reads from its standard input, as one line of JSON. */
interface AskedGrade {
  readonly id: string
  readonly round: number
  /** Name of the option, or of the class. */
  readonly answer: string
  /** The answer itself where answers are open, else the text of the option. */
  readonly said: string
  readonly question: unknown
  readonly gold: unknown
}

/** How the grades of one debate came out. */
export interface GradedDebate {
  readonly debate: object
  readonly grades: readonly Grade[]
}

/**
 * Debates with a grade for the panel's answer of each round, by a program: exit code 0 says right, 1 says wrong, and anything
 * else, a signal or the time-out, that it could not tell. An answer that comes in several rounds is graded once. The grade
 * names the answer, so that it never counts for another one.
 */
export async function* gradeDebates(
  debates: AsyncIterable<RecordedDebate>,
  grader: CommandGrader,
): AsyncGenerator<GradedDebate> {
  for await (const { value } of debates) {
    const debate = value as Debate & { readonly question?: unknown; readonly gold_text?: unknown } // readPanels checks it
    const [panel] = readPanels(
      [{ ...debate, gold: null, correct: null, grades: null, audits: null }],
      {},
      'grade',
    ).panels
    const grades = panel === undefined ? [] : await gradesOf(debate, panel, grader)
    yield { debate: { ...debate, grades }, grades }
  }
}

async function gradesOf(
  debate: Debate & { readonly question?: unknown; readonly gold_text?: unknown },
  { record, rounds }: ReadPanel,
  grader: CommandGrader,
): Promise<Grade[]> {
  const standing = representatives(debate.rounds)
  const known = new Map<string, boolean | null>()
  const grades: Grade[] = []
  for (const [at, { prediction }] of rounds.entries()) {
    const answer = record.options[prediction] ?? ''
    const asked: AskedGrade = {
      id: record.id,
      round: at + 1,
      answer,
      said: standing.get(answer) ?? textOf(debate.options, answer),
      question: debate.question ?? null,
      gold: debate.gold_text ?? debate.gold ?? null,
    }
    const right = known.has(answer) ? (known.get(answer) ?? null) : await runGrader(grader, asked)
    known.set(answer, right)
    grades.push({ round: at + 1, right, by: `command:${basename(grader.command)}`, answer })
  }
  return grades
}

function textOf(options: Debate['options'], name: string): string {
  const text: unknown = Array.isArray(options) || !Object.hasOwn(options, name) ? name : Reflect.get(options, name)
  return typeof text === 'string' ? text : name
}

function runGrader({ command, args, timeOutMs }: CommandGrader, asked: AskedGrade): Promise<boolean | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { shell: false, stdio: ['pipe', 'ignore', 'ignore'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), timeOutMs)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? true : code === 1 ? false : null)
    })
    // A program that does not read its input closes it.
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(asked)}\n`)
  })
}

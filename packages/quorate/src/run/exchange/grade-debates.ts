import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import type { Debate, Grade } from '@quorate/certificate'
import { type AskedGrade, gradesOf } from '../../debate/judge.ts'
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
interface CommandInput extends AskedGrade {
  readonly id: string
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
    const { id, question = null, gold_text: text, gold } = debate
    const grades = await gradesOf(debate, {
      by: `command:${basename(grader.command)}`,
      grade: (asked) => runGrader(grader, { id, ...asked, question, gold: text ?? gold ?? null }),
    })
    yield { debate: { ...debate, grades }, grades }
  }
}

function runGrader({ command, args, timeOutMs }: CommandGrader, asked: CommandInput): Promise<boolean | null> {
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

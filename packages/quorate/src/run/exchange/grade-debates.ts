import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import type { Debate, Grade } from '@quorate/certificate'
import { type AskedGrade, gradesOf } from '../../debate/judge.ts'
import { FileError } from '../../files/file-error.ts'
import { plainText } from '../../text/plain-text.ts'
import type { RecordedDebate } from '../calibration/calibration-debates.ts'

/** A program that checks whether an answer is right, such as a test suite. */
export interface CommandGrader {
  /** Started without a shell. */
  readonly command: string
  readonly args: readonly string[]
  /** A program that takes longer is killed, and the grade is unknown. */
  readonly timeOutMs: number
  /** Called if the grade is unknown, with how the program ended and the end of its standard error. */
  readonly onUnknown?: (why: string) => void
}

/** What the program reads from its standard input, as one line of JSON. */
interface CommandInput extends AskedGrade {
  readonly id: string
  readonly question: unknown
  readonly gold: unknown
}

/** A debate with its grades. */
export interface GradedDebate {
  readonly debate: object
  readonly grades: readonly Grade[]
}

/**
 * Grades the panel's answer of each round with a program. Exit code 0 means right, 1 means wrong, and anything else, including
 * a signal or a time-out, means unknown. An answer that occurs in several rounds is graded once. The grade names the answer, so
 * it never counts for another one.
 */
export async function* gradeDebates(
  debates: AsyncIterable<RecordedDebate>,
  grader: CommandGrader,
): AsyncGenerator<GradedDebate> {
  for await (const { value } of debates) {
    const debate = value as Debate & { readonly question?: unknown; readonly gold_text?: unknown } // readDebates checks it
    const { id, question = null, gold_text: text, gold } = debate
    const grades = await gradesOf(debate, {
      by: `command:${basename(grader.command)}`,
      grade: (asked) => runGrader(grader, { id, ...asked, question, gold: text ?? gold ?? null }),
    })
    yield { debate: { ...debate, grades }, grades }
  }
}

function runGrader(grader: CommandGrader, asked: CommandInput): Promise<boolean | null> {
  const { command, args, timeOutMs, onUnknown } = grader
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { shell: false, stdio: ['pipe', 'ignore', 'pipe'] })
    let written = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      written = (written + text).slice(-MOST_WRITTEN)
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), timeOutMs)
    child.once('error', (cause) => {
      clearTimeout(timer)
      reject(new FileError(`cannot start ${plainText(command)}`, { cause }))
    })
    const ended = (code: number | null, signal: string | null) => {
      child.stderr.destroy()
      const words = plainText(written.trim().replaceAll(/\s+/gu, ' '))
      const how = code === null ? `ended by ${signal}` : `exit code ${code}`
      if (code !== 0 && code !== 1) onUnknown?.(words === '' ? how : `${how}: ${words}`)
      resolve(code === 0 ? true : code === 1 ? false : null)
    }
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      if (child.stderr.readableEnded) return ended(code, signal)
      // Standard error may arrive a little later. A child process that was left behind may never close it.
      const late = setTimeout(ended, LATEST_WRITTEN_MS, code, signal)
      child.stderr.once('end', () => {
        clearTimeout(late)
        ended(code, signal)
      })
    })
    // A program may close its standard input without reading it.
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(asked)}\n`)
  })
}

/** In characters. */
const MOST_WRITTEN = 200
const LATEST_WRITTEN_MS = 500

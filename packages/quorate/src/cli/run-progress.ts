import type { OpenedRun } from '../runs/open-run.ts'
import type { RunProgress } from '../runs/run-tally.ts'
import { liveProgress } from './progress.ts'
import { progressText } from './run-text.ts'

/** A live line on a terminal; elsewhere a plain line now and then. All of it on standard error. */
export interface RunReporter {
  begin(opened: OpenedRun): void
  readonly tell: (progress: RunProgress) => void
  readonly say: (words: string) => void
  end(): void
}

const PLAIN_LINE_MS = 10_000

export function runProgress(questions: number): RunReporter {
  const live = liveProgress()
  const isTerminal = process.stderr.isTTY === true
  const start = performance.now()
  let toldAt = start
  const say = (words: string) => void process.stderr.write(`quorate: ${words}\n`)
  return {
    begin({ run, isResumed, lostCalls }) {
      const lost = lostCalls === 0 ? '' : `; ${lostCalls} calls of the process before are lost and keep their reserve`
      say(`${isResumed ? 'resuming' : 'beginning'} run ${run.id}, ${questions} questions${lost}`)
    },
    tell(progress) {
      const now = performance.now()
      if (!isTerminal && now - toldAt < PLAIN_LINE_MS) return
      toldAt = now
      const text = progressText(progress, now - start)
      if (isTerminal) live.tell(text)
      else say(text)
    },
    say,
    end: live.end,
  }
}

import type { OpenedRun } from '../run/open-run.ts'
import type { RunProgress } from '../run/progress.ts'
import { countOf } from '../text/number-text.ts'
import { ERASE, liveProgress } from './progress.ts'
import { elapsed, surroundings } from './terminal.ts'
import { progressText } from './text/run-text.ts'

/** What was spent when the run began and when it ended; null where no debate was begun. */
export interface SeenProgress {
  readonly first: RunProgress['spent'] | null
  readonly last: RunProgress['spent'] | null
}

/** A live line on a terminal; elsewhere a plain line now and then. All of it on standard error. */
export interface RunReporter {
  seen(): SeenProgress
  begin(opened: OpenedRun): void
  readonly tell: (progress: RunProgress) => void
  readonly say: (words: string) => void
  end(): void
}

const PLAIN_LINE_MS = 10_000

export function runProgress(questions: number): RunReporter {
  const live = liveProgress({ isOnlyLive: true })
  const isTerminal = surroundings().stderr.isTTY === true
  const start = elapsed()
  let toldAt = start
  let seen: SeenProgress = { first: null, last: null }
  const say = (words: string) => {
    live.clear()
    // A terminal has shown ^C where the line was.
    void surroundings().stderr.write(`${isTerminal ? ERASE : ''}quorate: ${words}\n`)
  }
  return {
    begin({ run, isResumed, lostCalls }) {
      const lost =
        lostCalls === 0 ? '' : `; ${countOf(lostCalls, 'call')} of the process before, lost, with the reserve kept`
      say(`${isResumed ? 'resuming' : 'beginning'} run ${run.id}, ${countOf(questions, 'question')}${lost}`)
    },
    seen: () => seen,
    tell(progress) {
      seen = { first: seen.first ?? progress.spent, last: progress.spent }
      const now = elapsed()
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

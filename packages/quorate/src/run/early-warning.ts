import type { PauseReason } from '../debate/ask.ts'
import { isUnreadable, type Turn } from '../record/answer.ts'
import { countOf } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import { type RunPlan, USUAL_UNREADABLE } from './run-plan.ts'

/**
 * Stops a run that cannot come to anything: a provider refuses the key or does not know the model, or the answers of the
 * panel cannot be read. What was answered is kept, and the questions stay pending.
 */
export interface EarlyWarning {
  /** A provider refuses what no further attempt changes. */
  refused(reason: string): void
  /** Counts the turns of a round. */
  count(turns: readonly Pick<Turn, 'agent' | 'answer' | 'beliefs' | 'samples' | 'text'>[]): void
  /** Null while the run may go on. */
  found(): Warning | null
}

export interface Warning {
  readonly kind: Extract<PauseReason, 'refused' | 'unreadable'>
  /** What was seen and what to do next. */
  readonly words: string
}

/** Turns before a share says anything. */
const FEWEST_TURNS = 20
const LONGEST_EXAMPLE = 80

export function createEarlyWarning({ maxUnreadable = USUAL_UNREADABLE }: Pick<RunPlan, 'maxUnreadable'>): EarlyWarning {
  let warning: Warning | null = null
  let [answers, unreadable] = [0, 0]
  let example: string | null = null
  return {
    refused(reason) {
      const next = 'Nothing more is asked. Correct the key or the model, then resume the run.'
      warning ??= { kind: 'refused', words: `${plainText(reason)}. ${next}` }
    },
    count(turns) {
      for (const turn of turns) {
        answers += 1
        if (!isUnreadable(turn)) continue
        unreadable += 1
        example ??= turn.text ?? null
      }
      if (answers < FEWEST_TURNS || unreadable <= maxUnreadable * answers) return
      const such = example === null ? '' : `, such as ${JSON.stringify(plainText(example).slice(0, LONGEST_EXAMPLE))}`
      const next =
        'Nothing more is asked. See whether the model follows the form that the prompt asks for and whether maxOutputTokens ' +
        'is large enough, or accept such answers with --max-unreadable 1.'
      const share = `${unreadable} of ${countOf(answers, 'answer')} could not be read${such}`
      warning ??= { kind: 'unreadable', words: `${share}; at most a share of ${maxUnreadable} may be. ${next}` }
    },
    found: () => warning,
  }
}

import type { EarlyStop } from '../debate/ask.ts'
import { isUnreadable, type Turn } from '../record/answer.ts'
import type { Millis } from '../store/store.ts'
import { joinSentences } from '../text/error-sentence.ts'
import { countOf } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import { beginningText } from '../text/text-columns.ts'
import { USUAL_UNREADABLE } from './run-plan.ts'

/**
 * Stops a run that cannot succeed: a provider refuses the key, does not know the model or cannot be reached, or the answers of
 * the panel cannot be read. Answers so far are kept, and the questions stay pending.
 */
export interface EarlyWarning {
  /** A provider refused a request, and no further attempt would change that. */
  refused(reason: string): void
  /** Reports an attempt: `unreached` says why the model could not be reached, or is null. */
  attempted(model: string, unreached: string | null): void
  /** Every attempt of a call failed. */
  failed(model: string): void
  /** Counts the turns of a round. */
  count(turns: readonly Pick<Turn, 'agent' | 'answer' | 'beliefs' | 'samples' | 'text'>[]): void
  /** Null while the run may continue. */
  found(): Warning | null
}

export interface Warning {
  readonly kind: EarlyStop
  /** The problem, and what to do next. Stored and shown with other questions, so it contains no reply. */
  readonly words: string
  /** The same with an unreadable reply as an example, for the person who runs a command. It must not be stored. */
  readonly wordsWithExample: string
}

/** After so many failed attempts, a model that was never reached counts as unreachable. */
const FEWEST_UNREACHED = 5
/** The share of unreadable answers is checked from so many turns on. */
const FEWEST_TURNS = 20
const LONGEST_EXAMPLE = 80

interface WarningOptions {
  readonly maxUnreadable?: number
  /** For a run without an end: when it tries again. Absent: never, because a resumed run starts without a warning. */
  readonly retry?: { readonly afterMs: Millis; readonly now: () => Millis }
}

/** Nobody resumes a server, so it tries again after this time. */
const SERVED_RETRY_MS = 5 * 60_000

export function servedWarning({ now }: { readonly now: () => Millis }) {
  return { retry: { afterMs: SERVED_RETRY_MS, now } }
}

export function createEarlyWarning({ maxUnreadable = USUAL_UNREADABLE, retry }: WarningOptions): EarlyWarning {
  let warning: Warning | null = null
  let warnedAt = 0
  let [answers, unreadable] = [0, 0]
  const warn = (kind: Warning['kind'], words: string, wordsWithExample = words) => {
    if (warning !== null) return
    warning = { kind, words, wordsWithExample }
    warnedAt = retry?.now() ?? 0
  }
  /** A server keeps none, because the text of its question may be erased. */
  let example: string | null = null
  /** By model: why the last attempts did not reach it, and how many they are; null once an attempt reached it. */
  const unreached = new Map<string, { readonly reason: string; readonly attempts: number } | null>()
  const unreachable = (reason: string) => {
    // A server keeps serving while a provider is unreachable. Its debates wait or fail as usual.
    if (retry !== undefined) return
    const next =
      'No further call is sent. Start the server, correct its address (baseURL) or fix the network, then resume the run.'
    warn('unreachable', joinSentences([plainText(reason), next]))
  }
  return {
    attempted(model, reason) {
      const before = unreached.get(model)
      if (reason === null) unreached.set(model, null)
      else if (before === null) unreached.set(model, { reason, attempts: Number.NEGATIVE_INFINITY })
      else {
        const attempts = (before?.attempts ?? 0) + 1
        unreached.set(model, { reason, attempts })
        if (attempts >= FEWEST_UNREACHED) unreachable(reason)
      }
    },
    failed(model) {
      const last = unreached.get(model)
      if (last !== undefined && last !== null) unreachable(last.reason)
    },
    refused(reason) {
      const next =
        retry === undefined
          ? 'No further call is sent. Correct the key or the model, then resume the run.'
          : 'No call is sent for five minutes. Correct the key or the model, then restart.'
      warn('refused', joinSentences([plainText(reason), next]))
    },
    count(turns) {
      for (const turn of turns) {
        answers += 1
        if (!isUnreadable(turn)) continue
        unreadable += 1
        if (retry === undefined) example ??= turn.text ?? null
      }
      if (answers < FEWEST_TURNS || unreadable <= maxUnreadable * answers) return
      const such =
        example === null ? '' : `, such as ${JSON.stringify(beginningText(plainText(example), LONGEST_EXAMPLE))}`
      const next =
        `${retry === undefined ? 'No further call is sent' : 'No call is sent for five minutes'}. Check whether the model follows the form that the prompt asks for and whether maxOutputTokens ` +
        `is large enough${retry === undefined ? ', or accept such answers with --max-unreadable 1' : ''}.`
      const share = `${unreadable} of ${countOf(answers, 'answer')} could not be read`
      const limit = `At most a share of ${maxUnreadable} may be unreadable`
      warn('unreadable', `${share}. ${limit}. ${next}`, `${share}${such}. ${limit}. ${next}`)
    },
    found() {
      if (warning !== null && retry !== undefined && retry.now() - warnedAt >= retry.afterMs) {
        warning = null
        ;[answers, unreadable] = [0, 0]
      }
      return warning
    },
  }
}

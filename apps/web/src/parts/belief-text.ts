import type { DebateView } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'
import { TEXT } from '../text/english.ts'

type Turn = DebateView['turns'][number][number]

/** How sure an agent was of its answer, in the way in which it was read; null: not known. */
export function beliefText({ answer, beliefs, confidence, samples }: Turn): string | null {
  if (samples !== undefined) {
    const same = samples.filter((sample) => sample === answer).length
    return answer === null ? null : TEXT.debate.sampled(countText(same), countText(samples.length))
  }
  const given = answer === null ? undefined : beliefs?.[answer]
  if (given !== undefined) return TEXT.debate.gave(percentText(given))
  return confidence === null ? null : TEXT.debate.stated(percentText(confidence))
}

export type Reading = keyof typeof TEXT.debate.readings

/** How beliefs were read, as far as the stored debate says so; null where it holds no turn. */
export function readingOf(turns: DebateView['turns']): Reading | null {
  const all = turns.flat()
  if (all.length === 0) return null
  if (all.some(({ samples }) => samples !== undefined)) return 'samples'
  if (all.some(({ beliefs }) => beliefs !== null)) return 'given'
  return all.some(({ confidence }) => confidence !== null) ? 'stated' : 'vote'
}

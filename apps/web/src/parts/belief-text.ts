import type { BeliefReading } from '@quorate/certificate'
import type { DebateView } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'

const WORDS = {
  sampled: (count: string, of: string) => `${count} of ${of} answers`,
  gave: (percent: string) => `gives it ${percent} %`,
  stated: (percent: string) => `states ${percent} %`,
} as const

/** How sure an agent was of its answer, worded by how its belief was elicited; null if that is not known. */
export function beliefText({
  answer,
  beliefs,
  confidence,
  samples,
}: DebateView['turns'][number][number]): string | null {
  if (samples !== undefined) {
    const same = samples.filter((sample) => sample === answer).length
    return answer === null ? null : WORDS.sampled(countText(same), countText(samples.length))
  }
  const given = answer === null ? undefined : beliefs?.[answer]
  if (given !== undefined) return WORDS.gave(percentText(given))
  return confidence === null ? null : WORDS.stated(percentText(confidence))
}

/** How beliefs were elicited, as far as the stored debate shows it; null if it has no turn. */
export function readingOf(turns: DebateView['turns']): BeliefReading | null {
  const all = turns.flat()
  if (all.length === 0) return null
  if (all.some(({ samples }) => samples !== undefined)) return 'samples'
  if (all.some(({ beliefs }) => beliefs !== null)) return 'given'
  return all.some(({ confidence }) => confidence !== null) ? 'stated' : 'vote'
}

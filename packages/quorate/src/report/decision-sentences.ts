import { type Decision, type DeferReason, OPEN_REASONS, type OpenReason, type Step } from '@quorate/certificate'
import { DEFER_WORDS, STEP_WORDS } from '../record/decision-words.ts'
import { comparedText, countText, probabilityText } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'

/** How a certificate finds the labelled debates to compare with. */
export type Comparison = 'cells' | 'knn' | 'total'

/** The evidence behind the bound of one round. It always gives counts, never only a "confidence". */
export function evidenceSentence(step: Step, comparison: Comparison): string {
  if (step.lower !== null) {
    const [rows, right] = [countText(step.neighbours), countText(step.successes)]
    if (comparison === 'total') return `${scoreText(step)}of ${rows} debates of its class ${right} were right`
    return comparison === 'knn'
      ? `of the ${rows} nearest labelled debates, ${right} were right`
      : `of ${rows} labelled debates that went the same way, ${right} were right`
  }
  if (step.reason === 'score-low' && step.score !== undefined && step.cut !== undefined) {
    const [score, cut] = comparedText(step.score, step.cut)
    return `continues: its score ${score} is below the threshold ${cut} of this round`
  }
  if ((step.reason === 'not-nominated' || step.reason === 'score-low') && step.score !== undefined) {
    const needed = step.cut === undefined ? '' : `, ${probabilityText(step.cut)} is needed`
    return `not compared: its score ${probabilityText(step.score)} is too low${needed}`
  }
  return openStepText(step.reason)
}

/** The score of a round that reached its cut. Only the profile `total` has cuts. */
function scoreText({ score, cut }: Step): string {
  if (score === undefined || cut === undefined) return ''
  const [own, needed] = comparedText(score, cut)
  return `score ${own} reaches the threshold ${needed}; `
}

/** Why a round has no bound. */
export function openStepText(reason: OpenReason): string {
  return `${HAS_PREFIX.has(reason) ? '' : 'no bound: '}${STEP_WORDS[reason]}`
}

const HAS_PREFIX: ReadonlySet<OpenReason> = new Set(
  OPEN_REASONS.filter((reason) => /^(?:not compared|refused): /.test(STEP_WORDS[reason])),
)

/** The decision in words, with the numbers behind it. */
export function verdictSentence(decision: Decision, threshold: number): string {
  switch (decision.kind) {
    case 'act': {
      const [bound, needed] = comparedText(decision.bound, threshold)
      const step = decision.path.at(-1)
      if (step?.cut !== undefined && step.score !== undefined) {
        const [score, cut] = comparedText(step.score, step.cut)
        const floor = threshold === 0 ? '' : `, and the bound ${bound} of its class reaches the floor ${needed}`
        return `act in round ${decision.round} with ${plainText(decision.answer)}: the score ${score} reaches the threshold ${cut}${floor}`
      }
      return `act in round ${decision.round} with ${plainText(decision.answer)}: the bound ${bound} reaches the threshold ${needed}`
    }
    case 'defer':
      return `defer to a person (${decision.reason}): ${DEFER_WORDS[decision.reason]}${deferralNumbers(decision.reason, decision.path, threshold)}`
    case 'continue':
      return `continue: the threshold ${probabilityText(threshold)} is not reached and rounds remain`
  }
}

/** The numbers behind a reason to defer, or an empty text if the reason has none. */
function deferralNumbers(reason: DeferReason, path: readonly Step[], threshold: number): string {
  switch (reason) {
    case 'bound-low': {
      const best = Math.max(...path.flatMap(({ lower }) => lower ?? []))
      if (path.some(({ cut }) => cut !== undefined)) {
        const isByScore = path.every((step) => step.lower === null && step.reason === 'score-low')
        return `; in ${roundsText(path)} ${isByScore ? 'no score reached its threshold' : 'no round could be acted on, each for its own reason'}`
      }
      if (best === Number.NEGATIVE_INFINITY) return `; its score stayed too low to be compared in ${roundsText(path)}`
      const [bound, needed] = comparedText(best, threshold)
      return `; best bound in ${roundsText(path)} ${bound}, threshold ${needed}`
    }
    case 'too-few-labels':
      return ` in ${roundsText(path)}`
    case 'class-refused':
      return isVetoed(path.at(-1))
        ? '; its class passes, but counted debates of its kind were not right often enough'
        : '; its score is high enough, but the floor is not shown for its class'
    default:
      return ''
  }
}

function isVetoed(step: Step | undefined): boolean {
  return step?.lower === null && step.reason === 'kind-vetoed'
}

function roundsText({ length }: readonly Step[]): string {
  return length === 1 ? '1 round' : `${length} rounds`
}

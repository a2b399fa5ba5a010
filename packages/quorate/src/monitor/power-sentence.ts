import { countText, probabilityText } from '../text/number-text.ts'
import type { RiskReport } from './risk-report.ts'

/** What the setting can see and what it cannot, to stand beside it. */
export function powerSentence({ spotChecks, alarm }: RiskReport, beta: number): string {
  if (alarm.horizon === null) {
    return 'No question is drawn for a spot check (spotCheckRate 0): nothing can be known of the wrong-action rate.'
  }
  const delays = alarm.power.map(({ rate, medianDelay }) =>
    medianDelay === null
      ? `at a true rate of ${rateText(rate)} fewer than half within ${countText(alarm.horizon ?? 0)}`
      : `at a true rate of ${rateText(rate)} after ${countText(medianDelay)}`,
  )
  return (
    `Drawing ${rateText(spotChecks.rate)} of all questions, the alarm is raised in half of all cases within so many ` +
    `questions: ${delays.join('; ')}. That is for a rate that is so high from the first question on. The alarm weighs all ` +
    'questions since it began, so that it takes longer after a good time (drawing 0.05, at a budget of 0.1 and a rate of ' +
    '0.3: about 550 questions at once, 10,550 after 20,000 questions at a rate of 0.03). Only the total is watched: a ' +
    `single group may be worse unseen. At a rate of exactly ${rateText(beta)} it is raised for nothing with probability ` +
    `${probabilityText(alarm.falseAlarm)} within ${countText(alarm.horizon)} questions, and at most ${alarm.eta} ever; after a release ` +
    `it begins anew, and each certificate has one of its own, so that k beginnings have at most k times ${alarm.eta} in all.`
  )
}

function rateText(rate: number): string {
  return String(Number(rate.toPrecision(3)))
}

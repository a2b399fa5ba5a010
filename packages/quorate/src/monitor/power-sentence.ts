import { countText, probabilityText } from '../text/number-text.ts'
import type { RiskReport } from './risk-report.ts'

/** What the setting can see and what it cannot, to stand beside it. */
export function powerSentence({ spotChecks, alarm }: RiskReport, beta: number): string {
  if (alarm.horizon === null) {
    return 'No question is sampled for a spot check (spotCheckRate 0), so the wrong-action rate cannot be known.'
  }
  const delays = alarm.power.map(({ rate, medianDelay }) =>
    medianDelay === null
      ? `at a true rate of ${rateText(rate)} fewer than half within ${countText(alarm.horizon ?? 0)}`
      : `at a true rate of ${rateText(rate)} after ${countText(medianDelay)}`,
  )
  return (
    `With spot checks of ${rateText(spotChecks.rate)} of all questions, half of all alarms come within this many ` +
    `questions: ${delays.join('; ')}. This is for a rate that is too high from the first question on. The alarm weighs all ` +
    'questions since it began, so it takes longer after a good period (with spot checks of 0.05, a budget of 0.1 and a rate ' +
    'of 0.3: about 550 questions from the start, 10,550 after 20,000 questions at a rate of 0.03). This alarm watches the total: ' +
    `a single group may be worse without an alarm. At a rate of exactly ${rateText(beta)}, a false alarm has probability ` +
    `${probabilityText(alarm.falseAlarm)} within ${countText(alarm.horizon)} questions, and at most ${alarm.eta} ever. A release ` +
    `restarts the alarm, and each certificate has its own, so k starts have at most k times ${alarm.eta} in total.`
  )
}

function rateText(rate: number): string {
  return String(Number(rate.toPrecision(3)))
}

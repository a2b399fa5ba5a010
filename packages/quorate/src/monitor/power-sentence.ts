import { countText, probabilityText } from '../report/number-text.ts'
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
    `questions: ${delays.join('; ')}. At a rate of exactly ${rateText(beta)} it is raised for nothing with probability ` +
    `${probabilityText(alarm.falseAlarm)} within ${countText(alarm.horizon)} questions, and at most ${alarm.eta} ever; after a release ` +
    `or a new certificate it begins anew, so that k beginnings have at most k times ${alarm.eta} in all.`
  )
}

function rateText(rate: number): string {
  return String(Number(rate.toPrecision(3)))
}

import { clopperPearsonInterval } from '@quorate/certificate'
import type { RelativeRecord } from '../record/certificate.ts'
import { countText, percentWithInterval } from './number-text.ts'

const LEVEL = 0.95

/** Beta is 0.75 times the panel's error after the last round, 16.8 % (15.1–18.6) of 1,800 labelled debates; ... */
export function relativeSentence({ lambda, isSelected, error, labels, atMost }: RelativeRecord): string {
  const { lower, upper } = clopperPearsonInterval(Math.round(error * labels), labels, LEVEL)
  const how = isSelected
    ? 'The multiple was selected on them: of those from 0.25 to 5 it acted most on a half that calibration had not seen while ' +
      'it used at most a tenth of its budget.'
    : 'The multiple was given.'
  return (
    `Beta is ${lambda} times the panel's error after the last round, ${percentWithInterval(error, { lower, upper })} % of ` +
    `${countText(labels)} labelled debates, and could not have been above ${atMost}. ${how}`
  )
}

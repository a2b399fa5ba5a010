import { countText } from './number-text.ts'

/** Debates of a file that no figure is about. */
export interface LeftOut {
  readonly unlabelled: number
  readonly failed: number
}

/** For example: 12 without a label and 3 that failed left out. Null where none was. */
export function leftOutText({ unlabelled, failed }: LeftOut): string | null {
  const parts = [
    ...(unlabelled === 0 ? [] : [`${countText(unlabelled)} without a label`]),
    ...(failed === 0 ? [] : [`${countText(failed)} that failed`]),
  ]
  return parts.length === 0 ? null : `${parts.join(' and ')} left out`
}

import { clopperPearsonInterval } from '@quorate/certificate'
import type { Share } from 'quorate/contract'

/** A share counted here, with the same interval as the server's; null where nothing was counted. */
export function shareOf(count: number, of: number): Share | null {
  return of === 0 ? null : { count, of, share: count / of, ...clopperPearsonInterval(count, of, 0.95) }
}

import type { Spend } from '../store/store.ts'
import type { Sleep } from '../traffic/traffic.ts'

/**
 * Counts what a run spends, call by call, and checks that the next call still fits under the cap. For a run of one process
 * the meter enforces the cap with its own sums, which equal the store's. For a run of several processes the store enforces
 * the cap in the commit that opens a call. The meter then only counts, and waits until other processes release reservations.
 */
export interface SpendMeter {
  /**
   * Reserves the upper estimate of an attempt. Null: it does not fit, and nothing in flight could make room. A null estimate
   * reserves nothing.
   */
  reserve(reservedMicroUsd: number | null): Promise<Reservation | null>
  /** Called when the store has no room for an attempt. True: try again. False: no open call could make room. */
  waitForRoom(): Promise<boolean>
  /** Counts an answer that was already stored. */
  countCached(): void
  spent(): Spent
}

/** Exactly one of these closes a reservation. */
export interface Reservation {
  /** A null cost is unknown, so the amount stays reserved. */
  answered(costMicroUsd: number | null, tokens: Tokens | null): void
  /** The request was not sent or not charged, so the amount is released. */
  refused(): void
  /** The request may have been charged, so the amount stays reserved. */
  lost(): void
}

interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Spent extends Tokens {
  /** Answered calls, including those from the cache. */
  readonly answered: number
  readonly cached: number
  /** Open calls of this process. */
  readonly open: number
  readonly committedMicroUsd: number
  /** Reserved by open and lost attempts, and by answers whose cost is unknown. */
  readonly reservedMicroUsd: number
  /** Upper estimate of the smallest attempt that did not fit; null if all did. */
  readonly unfitMicroUsd: number | null
}

export interface SpendMeterOptions {
  /** What earlier processes spent. Absent: only what this process spends is counted. */
  readonly before?: Spend
  /** Null: there is no cap, or the store enforces it. */
  readonly capMicroUsd: number | null
  /** For a run of several processes: how many of its calls are open in all of them. */
  readonly openCalls?: () => Promise<number>
  readonly sleep?: Sleep
  readonly stopping?: AbortSignal
}

/** How often a run that waits for room under its cap polls the store. */
const POLL_MS = 250

export function createSpendMeter(options: SpendMeterOptions): SpendMeter {
  const { before, capMicroUsd, openCalls } = options
  const spent = {
    inputTokens: before?.inputTokens ?? 0,
    outputTokens: before?.outputTokens ?? 0,
    answered: before?.calls.answered ?? 0,
    cached: 0,
    // Other processes close their own calls.
    open: 0,
    committedMicroUsd: before?.committedMicroUsd ?? 0,
    reservedMicroUsd: before?.reservedMicroUsd ?? 0,
  }
  let unfit: number | null = null
  let waiting: (() => void)[] = []

  const fits = (amount: number): boolean =>
    capMicroUsd === null || spent.committedMicroUsd + spent.reservedMicroUsd + amount <= capMicroUsd

  function close(released: number): void {
    spent.open -= 1
    spent.reservedMicroUsd -= released
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  return {
    async reserve(reservedMicroUsd) {
      const amount = reservedMicroUsd ?? 0
      // Estimates are far above the actual costs, so calls in flight release most of their reservations.
      while (!fits(amount)) {
        if (spent.open === 0) {
          unfit = Math.min(amount, unfit ?? amount)
          return null
        }
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      spent.open += 1
      spent.reservedMicroUsd += amount
      return {
        answered(costMicroUsd, tokens) {
          if (costMicroUsd !== null && !(costMicroUsd >= 0)) {
            throw new RangeError('spend meter: a cost must be at least 0')
          }
          spent.answered += 1
          spent.inputTokens += tokens?.inputTokens ?? 0
          spent.outputTokens += tokens?.outputTokens ?? 0
          spent.committedMicroUsd += costMicroUsd ?? 0
          close(costMicroUsd === null ? 0 : amount)
        },
        refused: () => close(amount),
        lost: () => close(0),
      }
    },
    async waitForRoom() {
      if (openCalls === undefined || (await openCalls()) <= 0) return false
      await options.sleep?.(POLL_MS, options.stopping)
      return true
    },
    countCached() {
      spent.answered += 1
      spent.cached += 1
    },
    spent: () => ({ ...spent, unfitMicroUsd: unfit }),
  }
}

import type { Spend } from '../store/store.ts'
import type { Sleep } from '../traffic/traffic.ts'

/**
 * Counts what a run spends, call by call, and checks that the next call still fits under the cap. For a run of one process
 * the meter enforces the cap with its own sums, which equal the store's. For a run of several processes the store enforces
 * it in the commit that opens a call; the meter then counts, and waits until the others release what they reserved.
 */
export interface SpendMeter {
  /**
   * Reserves the upper estimate of an attempt; null: it does not fit, and nothing in flight could make room. A null price
   * reserves nothing.
   */
  reserve(reservedMicroUsd: number | null): Promise<Reservation | null>
  /** After the store had no room for an attempt: true once something came back, false where nothing in flight could. */
  waitForRoom(): Promise<boolean>
  /** Counts an answer that was stored already. */
  countCached(): void
  spent(): Spent
}

/** Closed once, by one of these. */
export interface Reservation {
  /** A null cost is not known: the reserve stays. */
  answered(costMicroUsd: number | null, tokens: Tokens | null): void
  refused(): void
  lost(): void
}

interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface Spent extends Tokens {
  /** Answered, from the cache too. */
  readonly answered: number
  readonly cached: number
  /** Of this process. */
  readonly open: number
  readonly committedMicroUsd: number
  /** Of open and lost attempts, and of answers whose cost is not known. */
  readonly reservedMicroUsd: number
  /** Upper estimate of the smallest attempt that did not fit; null where all did. */
  readonly unfitMicroUsd: number | null
}

export interface SpendMeterOptions {
  /** What was spent before this process; absent: only what this process spends is counted. */
  readonly before?: Spend
  /** Null: there is none, or the store enforces it. */
  readonly capMicroUsd: number | null
  /** Of a run that several processes spend for: how many of its calls are open, over all of them. */
  readonly openCalls?: () => Promise<number>
  readonly sleep?: Sleep
  readonly stopping?: AbortSignal
}

/** How often a run that waits for money polls the store. */
const POLL_MS = 250

export function createSpendMeter(options: SpendMeterOptions): SpendMeter {
  const { before, capMicroUsd, openCalls } = options
  const spent = {
    inputTokens: before?.inputTokens ?? 0,
    outputTokens: before?.outputTokens ?? 0,
    answered: before?.calls.answered ?? 0,
    cached: 0,
    // Calls of other processes are closed by them.
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
      // Estimates are far above what a call costs: those in flight give most of theirs back.
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

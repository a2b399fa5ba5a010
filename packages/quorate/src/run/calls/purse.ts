import type { Spend } from '../../store/store.ts'

/** What a run may spend. Kept in memory, call by call; the store has the same sums. */
export interface Purse {
  /**
   * Takes the upper estimate of an attempt out of what is left; null: it does not fit, and nothing in flight could make
   * room. A null price takes nothing.
   */
  reserve(reservedMicroUsd: number | null): Promise<Reservation | null>
  /**
   * Of a run whose money several processes spend, after the store had no room for an attempt: true once something came
   * back, false when nothing in flight could make room.
   */
  room?(reservedMicroUsd: number | null): Promise<boolean>
  /** An answer that was there already. */
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

export function createPurse(before: Spend, capMicroUsd: number | null): Purse {
  const spent = {
    inputTokens: before.inputTokens,
    outputTokens: before.outputTokens,
    answered: before.calls.answered,
    cached: 0,
    // Those of others are closed by others.
    open: 0,
    committedMicroUsd: before.committedMicroUsd,
    reservedMicroUsd: before.reservedMicroUsd,
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
          if (costMicroUsd !== null && !(costMicroUsd >= 0)) throw new RangeError('purse: a cost must be at least 0')
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
    countCached() {
      spent.answered += 1
      spent.cached += 1
    },
    spent: () => ({ ...spent, unfitMicroUsd: unfit }),
  }
}

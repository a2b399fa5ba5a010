import { type ChainVerdict, checkChain } from '../../src/store/decisions/ledger-chain.ts'
import type { LedgerRow } from '../../src/store/store.ts'

/** Checks a chain whose rows are all in memory. */
export function verifyChain(rows: Iterable<LedgerRow>, head?: string): ChainVerdict {
  const check = checkChain(head)
  for (const row of rows) {
    const broken = check.next(row)
    if (broken !== null) return broken
  }
  return check.end()
}

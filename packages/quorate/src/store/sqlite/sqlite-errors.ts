import { z } from 'zod'
import { StoreError, type StoreErrorKind } from '../../record/store-error.ts'

export const BUSY_TIMEOUT_MS = 5000

const sqliteError = z.object({ code: z.literal('ERR_SQLITE_ERROR'), errcode: z.int(), message: z.string() })
const systemError = z.object({ code: z.string() })

/** What SQLite's primary result codes (https://sqlite.org/rescode.html) mean for the user. */
const MEANINGS: Readonly<Record<number, readonly [StoreErrorKind, string]>> = {
  5: ['busy', `another process has been writing for ${BUSY_TIMEOUT_MS / 1000} s: try again when it is done`],
  6: ['busy', 'another process has locked it: try again when it is done'],
  8: ['read-only', 'it cannot be written: give write permission to the file and its folder'],
  10: ['disk-full', 'reading or writing failed: check free space and the disk, then run again'],
  11: ['damaged', 'the file is damaged: restore a backup'],
  13: ['disk-full', 'the disk is full: free some space and run again. Nothing written before is lost'],
  14: ['read-only', 'it cannot be opened: check that its folder exists, is a folder and can be written'],
  19: ['missing', 'the row refers to a run or a question that is not there'],
  23: ['read-only', 'access was denied: check the permissions of the file and its folder'],
  26: ['not-a-store', 'the file is not an SQLite database: name another file'],
}

/** Translates errors of SQLite and of the file system into errors that say what to do. Returns others unchanged. */
export function storeErrorOfSqlite(error: unknown, file: string): unknown {
  if (error instanceof StoreError) return error
  const known = sqliteError.safeParse(error)
  if (known.success) {
    const { errcode, message } = known.data
    const [kind, advice] = MEANINGS[errcode & 0xff] ?? (['invalid', 'this is a bug in quorate'] as const)
    return new StoreError(kind, `store ${file}: ${advice} (SQLite: ${message})`, { cause: error })
  }
  const system = systemError.safeParse(error)
  if (!system.success) return error
  const { code } = system.data
  if (code === 'ERR_INVALID_STATE') return new StoreError('closed', `store ${file}: it is closed`, { cause: error })
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StoreError('disk-full', `store ${file}: the disk is full: free some space (${code})`, { cause: error })
  }
  if (!/^E[A-Z]+$/.test(code)) return error
  const advice = 'cannot be written: check that its folder exists, is a folder and can be written'
  return new StoreError('read-only', `store ${file}: it ${advice} (${code})`, { cause: error })
}

import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Placed } from '../placed.ts'

/** Of a file that was just opened. */
export function filePlace(file: string): Placed {
  if (file === ':memory:') return { isInPlace: () => true, freeBytes: () => null }
  const opened = fileId(file)
  return {
    isInPlace: () => opened === fileId(file),
    freeBytes: () => {
      const { bavail, bsize } = statfsSync(dirname(file))
      return bavail * bsize
    },
  }
}

function fileId(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

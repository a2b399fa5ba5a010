import { statSync } from 'node:fs'
import type { Placed } from '../placed.ts'

/** Of a file that was just opened. */
export function filePlace(file: string): Placed {
  if (file === ':memory:') return { isInPlace: () => true }
  const opened = fileId(file)
  return { isInPlace: () => opened === fileId(file) }
}

function fileId(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

import type { Flags } from './parse-flags.ts'
import { quoted } from './quoted.ts'
import { UsageError } from './usage-error.ts'

/** The integers of a flag such as `--seeds 7,11,13`, or undefined when it was not given. */
export function integersFlag(
  flags: Flags,
  name: string,
  { expected, accepts }: { expected: string; accepts: (values: readonly number[]) => boolean },
): readonly number[] | undefined {
  const text = flags.get(name)
  if (typeof text !== 'string') return undefined
  const values = text.split(',').map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN))
  if (values.every(Number.isInteger) && accepts(values)) return values
  throw new UsageError(`--${name} must be ${expected}, got ${quoted(text)}`)
}

export function areDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length
}

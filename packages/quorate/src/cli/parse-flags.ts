import { parseArgs } from 'node:util'
import { closestName } from '../text/closest-name.ts'
import { plainText } from '../text/plain-text.ts'
import { quoted } from './quoted.ts'
import { UsageError } from './usage-error.ts'

/** Flag names without the dashes; a `string` flag needs a value, a `boolean` flag takes none. */
export type FlagTypes = Readonly<Record<string, 'string' | 'boolean'>>

/** The flags that were given, by name; a boolean flag that was given has the value `true`. */
export type Flags = ReadonlyMap<string, string | true>

export interface CommandLine {
  readonly flags: Flags
  /** What stands without a dash, as many as `operands` named. */
  readonly operands: readonly string[]
}

/**
 * Reads flags and the operands named, for example `DEBATES.jsonl`, and refuses everything else, in words. One in brackets,
 * `[DIR]`, may be left out.
 */
export function parseFlags(
  command: string,
  args: readonly string[],
  types: FlagTypes,
  operandNames: readonly string[] = [],
): CommandLine {
  const options = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })

  const flags = new Map<string, string | true>()
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (operands.push(token.value) <= operandNames.length) continue
      throw new UsageError(`${command}: unexpected argument ${quoted(token.value)}`)
    }
    if (token.kind !== 'option') continue
    const type = Object.hasOwn(types, token.name) ? types[token.name] : undefined
    if (type === undefined) throw new UsageError(`${command}: ${unknownFlag(token.rawName, Object.keys(types))}`)
    if (type === 'string' && token.value === undefined) {
      throw new UsageError(`${command}: ${token.rawName} needs a value, got none`)
    }
    if (type === 'boolean' && token.value !== undefined) {
      throw new UsageError(`${command}: ${token.rawName} takes no value, got ${quoted(token.value)}`)
    }
    flags.set(token.name, token.value ?? true)
  }
  const missing = operandNames[operands.length]
  if (missing !== undefined && !missing.startsWith('[')) throw new UsageError(`${command}: ${missing} is missing`)
  return { flags, operands }
}

/** The value of a numeric flag, or `fallback` when it was not given. */
export function numberFlag(
  flags: Flags,
  name: string,
  { fallback, expected, accepts }: { fallback: number; expected: string; accepts: (value: number) => boolean },
): number {
  const text = flags.get(name)
  if (typeof text !== 'string') return fallback
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!accepts(value)) throw new UsageError(`--${name} must be ${expected}, got ${quoted(text)}`)
  return value
}

function unknownFlag(rawName: string, names: readonly string[]): string {
  const closest = closestName(rawName.replace(/^-+/, ''), names)
  return `unknown flag ${plainText(rawName)}${closest === undefined ? '' : `, did you mean --${closest}?`}`
}

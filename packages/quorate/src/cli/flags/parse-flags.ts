import { parseArgs } from 'node:util'
import { closestName } from '../../text/nearest-name.ts'
import { plainText } from '../../text/plain-text.ts'
import { wrapText } from '../../text/wrap-text.ts'
import { quoted } from '../quoted.ts'
import { UsageError } from '../usage-error.ts'

/** A flag of a command. The parser and the help page are made from the same entry. */
export interface Flag {
  /** The name of the value that must follow, such as FILE. A flag without it is a switch. */
  readonly value?: string
  /** The name of a value that may follow a switch. The command reads it before the parser does. */
  readonly optionalValue?: string
  /** One or more sentences for the help page. A flag without them is not listed. */
  readonly about?: string
}

/** Flags by their names, without the dashes, in the order of the help page. */
export type FlagTable = Readonly<Record<string, Flag>>

/** Flags of every command that can print JSON. */
export const OUTPUT_FLAGS = Object.freeze({
  json: { about: 'print one JSON object on standard output and nothing else' },
  'no-color': { about: 'print plain text, as with NO_COLOR=1' },
}) satisfies FlagTable

/** The given flags by name. The value of a switch is `true`. */
export type Flags = ReadonlyMap<string, string | true>

export interface CommandLine {
  readonly flags: Flags
  /** The arguments without a dash. */
  readonly operands: readonly string[]
}

/**
 * Parses flags and the named operands, for example `DEBATES.jsonl`. Anything else is a usage error. An operand in brackets,
 * `[DIR]`, is optional. If the last one ends in dots, `FILE...`, it takes all remaining arguments.
 */
export function parseFlags(
  command: string,
  args: readonly string[],
  table: FlagTable,
  operandNames: readonly string[] = [],
): CommandLine {
  const options = Object.fromEntries(Object.entries(table).map(([name, flag]) => [name, { type: typeOf(flag) }]))
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })

  const flags = new Map<string, string | true>()
  const operands: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (operands.push(token.value) <= operandNames.length || operandNames.at(-1)?.endsWith('...')) continue
      throw new UsageError(`${command}: unexpected argument ${quoted(token.value)}`)
    }
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(table, token.name) ? table[token.name] : undefined
    if (flag === undefined) throw new UsageError(`${command}: ${unknownFlag(token.rawName, Object.keys(table))}`)
    const type = typeOf(flag)
    if (type === 'string' && token.value === undefined) {
      throw new UsageError(`${command}: ${token.rawName} needs a value, got none`)
    }
    if (type === 'boolean' && token.value !== undefined) {
      throw new UsageError(`${command}: ${token.rawName} takes no value, got ${quoted(token.value)}`)
    }
    flags.set(token.name, token.value ?? true)
  }
  const missing = operandNames[operands.length]
  if (missing !== undefined && !missing.startsWith('['))
    throw new UsageError(`${command}: ${missing.replace('...', '')} is missing`)
  return { flags, operands }
}

const HELP_COLUMNS = 80
const HELP_INDENT = 21

/** The lines of the help page about these flags, 80 columns wide, with a line end after each. */
export function flagsHelp(table: FlagTable): string {
  return Object.entries(table)
    .flatMap(([name, flag]) => (flag.about === undefined ? [] : flagLines(name, flag, flag.about)))
    .map((line) => `${line}\n`)
    .join('')
}

function flagLines(name: string, { value, optionalValue }: Flag, about: string): readonly string[] {
  const shown = value ?? (optionalValue === undefined ? '' : `[${optionalValue}]`)
  const head = `  --${name} ${shown}`.trimEnd()
  const text = wrapText(about, HELP_COLUMNS - HELP_INDENT).map((line) => ' '.repeat(HELP_INDENT) + line)
  const [first = '', ...rest] = text
  const isShort = head.length < HELP_INDENT
  return isShort ? [head.padEnd(HELP_INDENT) + first.trimStart(), ...rest] : [head, ...text]
}

function typeOf({ value }: Flag): 'string' | 'boolean' {
  return value === undefined ? 'boolean' : 'string'
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

/** The value of `--seed`, the seed of everything random in a command. Defaults to 7. */
export function seedFlag(flags: Flags): number {
  return numberFlag(flags, 'seed', {
    fallback: 7,
    expected: 'an integer from 0 to 4294967295',
    accepts: (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32,
  })
}

/** The value of a flag that must be one of `words`, or undefined if the flag was not given. */
export function wordFlag<Word extends string>(flags: Flags, name: string, words: readonly Word[]): Word | undefined {
  const text = flags.get(name)
  if (typeof text !== 'string') return undefined
  const known = words.find((word) => word === text)
  if (known !== undefined) return known
  const closest = closestName(text, words)
  const meant = closest === undefined ? '' : `. Did you mean ${closest}?`
  throw new UsageError(`--${name} must be one of ${words.join(', ')}, got ${quoted(text)}${meant}`)
}

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

function unknownFlag(rawName: string, names: readonly string[]): string {
  const closest = closestName(rawName.replace(/^-+/, ''), names)
  return `unknown flag ${plainText(rawName)}${closest === undefined ? '' : `. Did you mean --${closest}?`}`
}

import type { z } from 'zod'
import { closestName } from '../text/nearest-name.ts'
import { configJsonSchema } from './config.ts'
import { type KeyPath, receivedText } from './config-error.ts'
import { NOT_REPEATED } from './find-secret.ts'

/** A problem at a path whose place in the source is not known yet. */
export interface Finding {
  readonly path: KeyPath
  readonly at: 'value' | 'key'
  readonly expected: string
  readonly received: string
}

/** The problems that zod found, one for each path. */
export function schemaFindings(issues: readonly z.core.$ZodIssue[], value: unknown): readonly Finding[] {
  const reported = new Set<string>()
  return issues
    .flatMap((issue) => findingsOf(issue, value))
    .filter(({ path }) => {
      const name = JSON.stringify(path)
      return !reported.has(name) && reported.add(name)
    })
}

/** People write secrets under these keys by mistake. */
const UNSHOWN: readonly (string | number | undefined)[] = ['store', 'apiKeyEnv', 'baseURL', 'url', 'secretEnv']

function receivedAt(value: unknown, path: KeyPath): string {
  const received = valueAt(value, path)
  const isShown = !UNSHOWN.includes(path.at(-1)) || typeof received !== 'string'
  return isShown ? receivedText(received) : NOT_REPEATED
}

function findingsOf(issue: z.core.$ZodIssue, value: unknown): readonly Finding[] {
  // Our schema has no keys that are symbols.
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  if (issue.code !== 'unrecognized_keys') {
    return [{ path, at: 'value', expected: issue.message, received: receivedAt(value, path) }]
  }
  const known = knownKeys(path)
  return issue.keys.map((key) => {
    const closest = closestName(key, known)
    const meant = closest === undefined ? '' : `. Did you mean ${closest}?`
    return {
      path: [...path, key],
      at: 'key',
      expected: `one of the keys ${known.join(', ')}`,
      received: `${receivedText(key)}${meant}`,
    }
  })
}

/**
 * Replacements for required values that cannot be read, so that the rest can be checked. Nothing is certified with
 * them, and no model is called.
 */
const ANY_BETA = 0.1
const ANY_MODEL = 'simulated/ada'

/**
 * The readable rest of the value, to check how its other parts fit together. If a part lacks something, its whole
 * top-level key is left out. Null if not even that can be read.
 */
export function readableRest<Value>(schema: z.ZodType<Value>, value: unknown, found: readonly Finding[]): Value | null {
  const rest = withoutFound(value, found)
  const parsed = schema.safeParse(rest)
  if (parsed.success) return parsed.data
  const tops = schemaFindings(parsed.error.issues, rest).map((finding) => ({
    ...finding,
    path: finding.path.slice(0, 1),
  }))
  const less = schema.safeParse(withoutFound(rest, tops))
  return less.success ? less.data : null
}

/** The value without the parts that have a problem, so that the rest can be read. */
function withoutFound(value: unknown, found: readonly Finding[]): unknown {
  const copy: unknown = structuredClone(value)
  for (const { path } of found) {
    const [parent, key] = [valueAt(copy, path.slice(0, -1)), path.at(-1)]
    if (typeof parent !== 'object' || parent === null || key === undefined) continue
    if (path.join('.') === 'budget.beta') Reflect.set(parent, key, ANY_BETA)
    else if (path.length === 4 && path[1] === 'agents' && key === 'model') Reflect.set(parent, key, ANY_MODEL)
    else Reflect.deleteProperty(parent, key)
  }
  return copy
}

function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((found, key) => {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    return (found as Record<string, unknown>)[key] // any object can be asked for its own keys
  }, value)
}

/** The keys that a map may have, from the published schema. */
function knownKeys(path: KeyPath): readonly string[] {
  const schema = path.reduce<unknown>((found, part) => {
    if (typeof part === 'number') return valueAt(found, ['items'])
    return valueAt(found, ['properties', part]) ?? valueAt(found, ['additionalProperties'])
  }, configJsonSchema())
  const kinds = valueAt(schema, ['oneOf']) ?? valueAt(schema, ['anyOf'])
  const schemas = Array.isArray(kinds) ? kinds : [schema]
  return [...new Set(schemas.flatMap((each) => Object.keys(Object(valueAt(each, ['properties'])))))]
}

import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
} from 'yaml'
import { ConfigError, type ConfigProblem, type KeyPath, pathText } from './config-error.ts'
import { findSecret, isSecretName, NOT_REPEATED } from './find-secret.ts'

/** A parsed config file whose keys are not checked yet. */
export interface ConfigSource {
  /** The name that errors use. */
  readonly file: string
  readonly value: unknown
  /** The place of a value, or of the deepest existing part of the path; `key`: the place of the last key itself. */
  placeOf(path: KeyPath, at?: 'value' | 'key'): Place
}

export interface Place {
  readonly line: number
  readonly column: number
}

const MOST_ALIASES = 50
const MOST_CHARACTERS = 1_000_000

/** Parses YAML, or JSON by the name of the file. Errors never quote the file, because it may contain a secret. */
export function parseConfigSource(text: string, file: string): ConfigSource {
  const lines = new LineCounter()
  const refuse: Refuse = (offset, expected, received, path = []) =>
    new ConfigError([problemAt(file, placeAt(lines, offset), { path, expected, received })])
  if (text.length > MOST_CHARACTERS) throw refuse(0, 'a file of at most a million characters', `${text.length}`)
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, logLevel: 'error' })
  const secret = findSecret(text)
  if (secret !== null) throw refuse(secret.offset, `without secrets: ${secret.instead}`, NOT_REPEATED)
  const wrong = document.errors[0] ?? document.warnings[0]
  if (wrong !== undefined) throw refuse(wrong.pos[0], ...syntaxWords(wrong, file))
  if (file.toLowerCase().endsWith('.json')) checkJson(text, file)
  checkKeys(document.contents, refuse)
  const resolve = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node)
  return {
    file,
    value: plainValue(document, refuse),
    placeOf: (path, at = 'value') => placeAt(lines, offsetOf(document.contents, path, at, resolve)),
  }
}

type Refuse = (offset: number, expected: string, received: string, path?: KeyPath) => ConfigError

function checkKeys(contents: unknown, refuse: Refuse): void {
  for (const { path, offset } of keysOf(contents, [])) {
    const name = String(path.at(-1))
    if (name === '__proto__') throw refuse(offset, 'under another key', 'this one', path)
    if (!isSecretName(name)) continue
    const expected = 'left out, because keys come only from the environment (name the variable in apiKeyEnv)'
    throw refuse(offset, expected, NOT_REPEATED, path)
  }
}

function plainValue(document: Document, refuse: Refuse): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch {
    // The cause quotes the file.
    throw refuse(0, `free of undefined aliases and of more than ${MOST_ALIASES} of them`, 'such aliases')
  }
}

export function problemAt(
  source: string,
  { line, column }: Place,
  { path, expected, received }: { readonly path: KeyPath; readonly expected: string; readonly received: string },
): ConfigProblem {
  return { source, line, column, path: pathText(path), expected, received }
}

/** Every key of every map. A node is visited only where it is defined, not through an alias. */
function* keysOf(node: unknown, path: KeyPath): Generator<{ readonly path: KeyPath; readonly offset: number }> {
  if (isSeq(node)) for (const [index, item] of node.items.entries()) yield* keysOf(item, [...path, index])
  if (!isMap(node)) return
  for (const { key, value } of node.items) {
    const inner = [...path, keyText(key)]
    yield { path: inner, offset: startOf(key) ?? 0 }
    yield* keysOf(value, inner)
  }
}

function offsetOf(root: unknown, path: KeyPath, at: 'value' | 'key', resolve: (node: unknown) => unknown): number {
  let node = root
  let offset = startOf(root) ?? 0
  for (const [depth, part] of path.entries()) {
    const parent = resolve(node)
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => keyText(key) === part)
      if (pair === undefined) return offset
      const isLast = depth === path.length - 1
      offset = (isLast && at === 'value' ? startOf(pair.value) : undefined) ?? startOf(pair.key) ?? offset
      node = pair.value
    } else if (isSeq(parent) && typeof part === 'number' && parent.items[part] !== undefined) {
      node = parent.items[part]
      offset = startOf(node) ?? offset
    } else return offset
  }
  return offset
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key)
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node satisfies Node).range?.[0] : undefined
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}

/** The expected and the received text. The parser's own messages may quote the file. */
function syntaxWords({ code }: YAMLError, file: string): readonly [string, string] {
  if (code === 'DUPLICATE_KEY') return ['a map with every key once', 'a duplicate key']
  if (code === 'TAB_AS_INDENT') return ['indented with spaces', 'a tab']
  if (code === 'MULTIPLE_DOCS') return ['one document', 'more than one']
  if (code === 'RESOURCE_EXHAUSTION') return ['nested less deeply', 'too many levels']
  if (code === 'NON_STRING_KEY') return ['a map whose keys are plain words', 'another kind of key']
  const language = file.toLowerCase().endsWith('.json') ? 'JSON' : 'YAML'
  return [`valid ${language}`, `a mistake at this place (${code.toLowerCase().replaceAll('_', ' ')})`]
}

/** YAML accepts more than JSON. */
function checkJson(text: string, file: string): void {
  try {
    JSON.parse(text)
  } catch (cause) {
    // Only the place is used, because the rest of the message quotes the file.
    const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined
    const before = text.slice(0, Number(position ?? text.length)).split('\n')
    const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 }
    throw new ConfigError([
      problemAt(file, place, { path: [], expected: 'valid JSON', received: 'a mistake at this place' }),
    ])
  }
}

import { readFile, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { FileError } from '../files/file-error.ts'
import { readLines } from '../files/read-lines.ts'
import { parseModelReference } from '../model/providers.ts'
import type { ScriptRule } from '../model/scripted-model.ts'
import { jsonOf } from '../record/parse-stored.ts'
import { plainText } from '../text/plain-text.ts'
import type { Config } from './config.ts'
import { ConfigError, type KeyPath } from './config-error.ts'
import { type ConfigSource, problemAt } from './config-source.ts'

/**
 * The files that a config names: prompts, scripts and the guideline. They must be in or below its folder. Their content
 * is sent to models, and a config from elsewhere must not read other files of this machine.
 */
export interface NearFiles {
  readonly source: ConfigSource
  readonly folder: string
}

/** The real paths of the prompts, by name. */
export async function promptPaths({ panel }: Config, near: NearFiles): Promise<Readonly<Record<string, string>>> {
  const entries = Object.entries(panel.prompts ?? {}).map(async ([name, written]) => {
    const path = await nearPath(near, written ?? '', ['panel', 'prompts', name], 'prompt')
    return [name, path] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** The real paths of the templates of the judge and the grader; undefined: the built-in ones. */
export async function judgePromptPaths({ answers, grader }: Config, near: NearFiles) {
  const path = (written: string | undefined, key: KeyPath) =>
    written === undefined ? undefined : nearPath(near, written, key, 'prompt')
  return {
    judge: await path(answers?.kind === 'judged' ? answers.prompt : undefined, ['answers', 'prompt']),
    grader: await path(grader?.prompt, ['grader', 'prompt']),
  }
}

/** Longer than any guideline that a reviewer reads beside an item. */
const LONGEST_GUIDELINE = 100_000

/** The text that reviewers see beside every item; null if the config names no guideline. */
export async function readGuideline({ task }: Config, near: NearFiles): Promise<string | null> {
  if (task?.guideline === undefined) return null
  const path = await nearPath(near, task.guideline, ['task', 'guideline'], 'guideline')
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new FileError(`cannot read the guideline ${plainText(path)}`, { cause })
  })
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n').trim()
    if (text.length > 0 && text.length <= LONGEST_GUIDELINE) return text
  } catch {
    throw new FileError(`${plainText(path)} must be UTF-8 text`)
  }
  throw new FileError(`${plainText(path)} must be a guideline of 1 to ${LONGEST_GUIDELINE} characters`)
}

/** The lines of every `scripted/FILE`, by model. */
export async function readScripts(
  { panel, answers, grader }: Config,
  near: NearFiles,
): Promise<ReadonlyMap<string, readonly ScriptRule[]>> {
  const scripts = new Map<string, readonly ScriptRule[]>()
  const asked = [
    ...panel.agents.map(({ model }, index) => ({ model, key: ['panel', 'agents', index, 'model'] })),
    ...(answers?.kind === 'judged' ? [{ model: answers.model, key: ['answers', 'model'] }] : []),
    ...(grader === undefined ? [] : [{ model: grader.model, key: ['grader', 'model'] }]),
  ]
  for (const { model, key } of asked) {
    const file = scriptOf(model)
    if (file === null || scripts.has(model)) continue
    const path = await nearPath(near, file, key, 'script')
    scripts.set(model, await readScript(path))
  }
  return scripts
}

/** A store that the config names must be near it too. It is written to, and a config must not write elsewhere. */
export async function checkNearStore({ store }: Config, { source, folder }: NearFiles): Promise<void> {
  if (!store.startsWith('sqlite:') || store === 'sqlite::memory:') return
  const place = await realBeginning(resolve(folder, store.slice('sqlite:'.length)))
  if (isInside(await realpath(folder), place)) return
  const expected = 'a file in or below the folder of this config (QUORATE_STORE or --store may name any other)'
  throw new ConfigError([
    problemAt(source.file, source.placeOf(['store']), { path: ['store'], expected, received: 'another place' }),
  ])
}

/** The path with all links followed in the part that exists. */
async function realBeginning(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(await realBeginning(parent), basename(path))
  }
}

function isInside(folder: string, place: string): boolean {
  const inside = relative(folder, place)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

/** A replay of a script needs the script too, because its answers are stored under its content. */
function scriptOf(model: string): string | null {
  const { provider, name } = parseModelReference(model)
  if (provider === 'replay') return scriptOf(name)
  return provider === 'scripted' ? name : null
}

const RULE = z.strictObject({ when: z.string().optional(), say: z.string().min(1) })

async function readScript(path: string): Promise<readonly ScriptRule[]> {
  const rules: ScriptRule[] = []
  let line = 0
  for await (const text of readLines(path)) {
    line += 1
    if (text.trim() !== '') rules.push(readRule(text, `${plainText(path)}: line ${line}`))
  }
  if (rules.length > 0) return rules
  throw new FileError(
    `${plainText(path)} must have a line such as {"say": "<answer-{code}>A</answer-{code}>"}, got none`,
  )
}

function readRule(text: string, place: string): ScriptRule {
  const expected = 'one JSON object such as {"when": "words of the prompt", "say": "<answer-{code}>A</answer-{code}>"}'
  // Neither the line nor the JSON error is quoted, because the file may be another one than was meant.
  const read = RULE.safeParse(jsonOf(text))
  if (!read.success) throw new FileError(`${place} must be ${expected}`)
  const { when, say } = read.data
  return when === undefined ? { say } : { when, say }
}

async function nearPath(
  { source, folder }: NearFiles,
  written: string,
  key: KeyPath,
  what: 'prompt' | 'script' | 'guideline',
): Promise<string> {
  const full = resolve(folder, written)
  const place = await realpath(full).catch((cause: unknown) => {
    throw new FileError(`cannot read the ${what} ${plainText(full)}`, { cause })
  })
  const real = await realpath(folder)
  const inside = relative(real, place)
  if (inside.split(sep).some((part) => /^\.[^.]/.test(part))) {
    const problem = { path: key, expected: 'a file whose name does not begin with a dot', received: 'a hidden one' }
    throw new ConfigError([problemAt(source.file, source.placeOf(key), problem)])
  }
  if (isInside(real, place)) return join(real, inside)
  const expected = 'a file in or below the folder of this config'
  const problem = { path: key, expected, received: 'another place' }
  throw new ConfigError([problemAt(source.file, source.placeOf(key), problem)])
}

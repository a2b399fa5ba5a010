import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { loadJudgePrompt, loadPrompts } from '../debate/load-prompts.ts'
import { FileError } from '../files/file-error.ts'
import { type Environment, redactSecrets } from '../model/redact-secrets.ts'
import type { DocumentField } from '../questions/document-field.ts'
import { openAnswers } from '../record/task.ts'
import { plainText } from '../text/plain-text.ts'
import { crossFindings } from './check-config.ts'
import { CONFIG_NAMES, type Config, ConfigSchema } from './config.ts'
import { ConfigError, type ConfigProblem, type KeyPath, pathText } from './config-error.ts'
import { type ConfigSource, parseConfigSource, problemAt } from './config-source.ts'
import {
  checkNearStore,
  judgePromptPaths,
  type NearFiles,
  promptPaths,
  readGuideline,
  readScripts,
} from './near-files.ts'
import { keptParts, type Override, readOverrides, withOverrides } from './overrides.ts'
import { type ConfigContext, type ResolvedConfig, resolveConfig } from './resolve-config.ts'
import { type Finding, readableRest, schemaFindings } from './schema-problems.ts'

export interface LoadOptions {
  /** The working directory. */
  readonly folder: string
  readonly env: Environment
  /** Flags of the command line, without the dashes: `config` and those of OVERRIDABLE are used. */
  readonly flags?: ReadonlyMap<string, string | true>
}

export interface GivenConfig {
  /** The folder from which paths start. */
  readonly folder: string
  readonly env: Environment
  /** The content that a config file would have. */
  readonly value: unknown
}

export interface LoadedConfig {
  readonly config: ResolvedConfig
  /** The questions about every document, each with its own config; absent: a row is one question. */
  readonly fields?: readonly LoadedField[]
  /** The environment with the variables of `.env` beside the config. Models get their keys from here. */
  readonly env: Environment
  /** What may surprise the user, in words. */
  readonly notes: readonly string[]
}

export interface LoadedField extends DocumentField {
  readonly isCritical: boolean
  readonly config: ResolvedConfig
}

/**
 * Loads the config. Flags override the environment, which overrides the file. Throws ConfigError with every problem and
 * its place, or FileError.
 */
export async function loadConfig({ folder, env: given, flags = new Map() }: LoadOptions): Promise<LoadedConfig> {
  const named = flags.get('config') ?? given['QUORATE_CONFIG']?.trim()
  const path = findConfig(folder, typeof named === 'string' && named !== '' ? named : null)
  const configFolder = dirname(path)
  const source = parseConfigSource(await readConfigText(path), plainText(shownPath(folder, path)))
  const env = await withEnvFile(configFolder, given)
  const overrides = readOverrides(flags, env)
  const config = checkedConfig(source, overrides, env)
  const near = { source, folder: configFolder }
  const read = await readNearFiles(config, near)
  const storeSource = overrides.find(({ path: [key] }) => key === 'store')?.source
  const isOwnUrl =
    storeSource === '--store' || (storeSource === 'QUORATE_STORE' && given['QUORATE_STORE'] !== undefined)
  if (!isOwnUrl) await checkNearStore(config, near)
  const store = { baseFolder: storeSource === '--store' ? folder : configFolder, isOwnUrl }
  const kept = keptParts(source.value, overrides)
  const fields = await loadFields(config, near, path, store)
  return {
    config: resolveConfig(config, { file: path, ...read, store }),
    ...(fields.length === 0 ? {} : { fields }),
    env,
    notes: budgetNotes(config, kept),
  }
}

/** Loads a config that a program passed. Paths start from the folder. Neither `.env` nor variables change it. */
export async function loadGivenConfig({ folder, env, value }: GivenConfig): Promise<LoadedConfig> {
  try {
    const source = parseConfigSource(JSON.stringify(value) ?? '', 'config')
    const config = checkedConfig(source, [], env)
    const near = { source, folder }
    const read = await readNearFiles(config, near)
    await checkNearStore(config, near)
    const store = { baseFolder: folder, isOwnUrl: false }
    return { config: resolveConfig(config, { file: '', ...read, store }), env, notes: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Nobody wrote this text, so its lines would not help.
    throw new ConfigError(error.problems.map((problem) => ({ ...problem, line: null, column: null })))
  }
}

/** The config of each field: its answers, its column, and its part of beta and delta. */
async function loadFields(
  config: Config,
  near: NearFiles,
  file: string,
  store: ConfigContext['store'],
): Promise<readonly LoadedField[]> {
  const { fields = {}, budget } = config
  const all = Object.entries(fields)
  const critical = all.filter(([, field]) => field.critical)
  const stated = critical.reduce((sum, [, field]) => sum + (field.beta ?? 0), 0)
  const sharing = critical.filter(([, field]) => field.beta === undefined).length
  // Rounded so that decimal budgets stay decimal, and down so that the parts never exceed the whole.
  const even = Math.floor(((budget.beta - stated) / Math.max(1, sharing)) * 1e9 + 1e-4) / 1e9
  return Promise.all(
    all.map(async ([name, { question, answers, gold = name, beta = even, critical: isCritical }]) => {
      const own: Config = {
        ...config,
        fields: undefined,
        answers,
        questions: { ...config.questions, gold },
        budget: { ...budget, beta, delta: budget.delta / all.length },
      }
      const read = await readNearFiles(own, near)
      return { name, question, isCritical, config: resolveConfig(own, { file, ...read, store }) }
    }),
  )
}

/** Reads the files that a config names. */
async function readNearFiles(config: Config, near: NearFiles) {
  const isOpen = openAnswers(config.answers) !== null
  const { judge, grader } = await judgePromptPaths(config, near)
  return {
    prompts: loadPrompts(await promptPaths(config, near), config.task?.instruction, isOpen),
    judgePrompts: { judge: loadJudgePrompt('judge', judge), grader: loadJudgePrompt('grade', grader) },
    guideline: await readGuideline(config, near),
    scripts: await readScripts(config, near),
  }
}

/** Relative to the folder if the path is inside it, else absolute. */
export function shownPath(folder: string, path: string): string {
  const near = relative(folder, path)
  return near.startsWith('..') ? path : near
}

function budgetNotes({ budget }: Config, kept: readonly string[]): readonly string[] {
  if (kept.length === 0) return []
  const [parts, flags] = [kept.join(' and '), kept.map((name) => `--${name}`).join(' and ')]
  return [`beta is ${budget.beta}, and ${parts} stay as the config has them: pass ${flags} to change that`]
}

function checkedConfig(source: ConfigSource, overrides: readonly Override[], env: Environment): Config {
  const value = withOverrides(source.value, overrides)
  const refused = (findings: readonly Finding[]) =>
    new ConfigError(findings.map((finding) => problemOf(finding, source, { overrides, env })).sort(byPlace))
  const isStoreSecret = overrides.some(({ source: from }) => from === 'QUORATE_STORE')
  const parsed = ConfigSchema.safeParse(value)
  if (!parsed.success) {
    const found = schemaFindings(parsed.error.issues, value)
    // To report all problems at once, the readable rest is checked without the parts that are wrong.
    const rest = readableRest(ConfigSchema, value, found)
    throw refused([...found, ...(rest === null ? [] : crossFindings(rest, { isStoreSecret }).filter(isNew(found)))])
  }
  const findings = crossFindings(parsed.data, { isStoreSecret })
  if (findings.length > 0) throw refused(findings)
  return parsed.data
}

/** Whether no finding is about the same key, or about a key above or below it. */
function isNew(found: readonly Finding[]): (finding: Finding) => boolean {
  const isWithin = (path: KeyPath, other: KeyPath) => other.every((part, at) => path[at] === part)
  return ({ path }) => found.every((other) => !isWithin(path, other.path) && !isWithin(other.path, path))
}

/** Flags and variables first, then in the order of the file. */
function byPlace(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

/** A problem with its place: the flag or variable that set the value, else the place in the file. */
function problemOf(
  { path, at, expected, received }: Finding,
  source: ConfigSource,
  { overrides, env }: { readonly overrides: readonly Override[]; readonly env: Environment },
): ConfigProblem {
  const name = pathText(path)
  const override = overrides.find((override) => pathText(override.path) === name)
  const clean = redactSecrets(received, env)
  if (override !== undefined)
    return { source: override.source, line: null, column: null, path: name, expected, received: clean }
  return problemAt(source.file, source.placeOf(path, at), { path, expected, received: clean })
}

/** The named config, or the one in the folder. Parent folders are not searched. */
function findConfig(folder: string, named: string | null): string {
  if (named !== null) return resolve(folder, named)
  const [first, second] = CONFIG_NAMES.filter((name) => existsSync(join(folder, name)))
  if (first === undefined) {
    throw new FileError(
      `there is no ${CONFIG_NAMES[0]} in ${plainText(folder)}: make one with "quorate init", or name one with --config PATH`,
    )
  }
  if (second !== undefined) {
    throw new FileError(
      `${first} and ${second} are both in ${plainText(folder)}: keep one, or name one with --config PATH`,
    )
  }
  return join(folder, first)
}

async function readConfigText(path: string): Promise<string> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (cause) {
    throw new FileError(`cannot read the config ${plainText(path)}`, { cause })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new FileError(`${plainText(path)} must be UTF-8 text`, { cause })
  }
}

/** The environment with the variables that only `.env` of the folder sets. The environment of the process is not changed. */
async function withEnvFile(folder: string, env: Environment): Promise<Environment> {
  const path = join(folder, '.env')
  try {
    return { ...parseEnv(await readFile(path, 'utf8')), ...env }
  } catch (cause) {
    // Most folders have no `.env`.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return env
    throw new FileError(`cannot read ${plainText(path)}`, { cause })
  }
}

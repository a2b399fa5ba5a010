import { dirname, relative } from 'node:path'
import { loadPrompts } from '../debate/load-prompts.ts'
import { type Environment, redactSecrets } from '../model/redact-secrets.ts'
import { plainText } from '../text/plain-text.ts'
import { crossFindings } from './check-config.ts'
import { type Config, ConfigSchema } from './config.ts'
import { ConfigError, type ConfigProblem, pathText } from './config-error.ts'
import { type ConfigSource, parseConfigSource, problemAt } from './config-source.ts'
import { findConfig, readConfigText, withEnvFile } from './find-config.ts'
import { checkNearStore, promptPaths, readScripts } from './near-files.ts'
import { keptParts, type Override, readOverrides, withOverrides } from './overrides.ts'
import { type ResolvedConfig, resolveConfig } from './resolve-config.ts'
import { type Finding, schemaFindings } from './schema-problems.ts'

export interface LoadOptions {
  /** The working directory. */
  readonly folder: string
  readonly env: Environment
  /** Of the command line, without the dashes: `config` and those of OVERRIDABLE count. */
  readonly flags?: ReadonlyMap<string, string | true>
}

export interface LoadedConfig {
  readonly config: ResolvedConfig
  /** With what `.env` beside the config adds: models get their keys from here. */
  readonly env: Environment
  /** What a person may not expect of it, in words. */
  readonly notes: readonly string[]
}

/** Flags over environment over file. Throws ConfigError with every problem and its place, or FileError. */
export async function loadConfig({ folder, env: given, flags = new Map() }: LoadOptions): Promise<LoadedConfig> {
  const named = flags.get('config') ?? given['QUORATE_CONFIG']?.trim()
  const path = findConfig(folder, typeof named === 'string' && named !== '' ? named : null)
  const configFolder = dirname(path)
  const source = parseConfigSource(await readConfigText(path), plainText(shownPath(folder, path)))
  const env = await withEnvFile(configFolder, given)
  const overrides = readOverrides(flags, env)
  const config = checkedConfig(source, overrides, env)
  const near = { source, folder: configFolder }
  const prompts = loadPrompts(await promptPaths(config, near))
  const scripts = await readScripts(config, near)
  const said = overrides.find(({ path: [key] }) => key === 'store')?.source
  const isOwnUrl = said === '--store' || (said === 'QUORATE_STORE' && given['QUORATE_STORE'] !== undefined)
  if (!isOwnUrl) await checkNearStore(config, near)
  const store = { baseFolder: said === '--store' ? folder : configFolder, isOwnUrl }
  const kept = keptParts(source.value, overrides)
  return {
    config: resolveConfig(config, { file: path, prompts, scripts, store }),
    env,
    notes: budgetNotes(config, kept),
  }
}

/** Short where it is near. */
export function shownPath(folder: string, path: string): string {
  const near = relative(folder, path)
  return near.startsWith('..') ? path : near
}

function budgetNotes({ budget }: Config, kept: readonly string[]): readonly string[] {
  if (kept.length === 0) return []
  const [parts, flags] = [kept.join(' and '), kept.map((name) => `--${name}`).join(' and ')]
  return [`beta is ${budget.beta}, and ${parts} stay as the config has them: say ${flags} to change that`]
}

function checkedConfig(source: ConfigSource, overrides: readonly Override[], env: Environment): Config {
  const value = withOverrides(source.value, overrides)
  const told = (findings: readonly Finding[]) =>
    new ConfigError(findings.map((finding) => problemOf(finding, source, { overrides, env })).sort(byPlace))
  const parsed = ConfigSchema.safeParse(value)
  if (!parsed.success) throw told(schemaFindings(parsed.error.issues, value))
  const isStoreSecret = overrides.some(({ source: said }) => said === 'QUORATE_STORE')
  const findings = crossFindings(parsed.data, { isStoreSecret })
  if (findings.length > 0) throw told(findings)
  return parsed.data
}

/** Flags and variables first, then as they stand in the file. */
function byPlace(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

/** With the place: of the flag or variable that said it, else of the file. */
function problemOf(
  { path, at, expected, received }: Finding,
  source: ConfigSource,
  { overrides, env }: { readonly overrides: readonly Override[]; readonly env: Environment },
): ConfigProblem {
  const name = pathText(path)
  const said = overrides.find((override) => pathText(override.path) === name)
  const clean = redactSecrets(received, env)
  if (said !== undefined)
    return { source: said.source, line: null, column: null, path: name, expected, received: clean }
  return problemAt(source.file, source.placeOf(path, at), { path, expected, received: clean })
}

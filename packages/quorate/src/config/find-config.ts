import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { FileError } from '../files/file-error.ts'
import type { Environment } from '../model/redact-secrets.ts'
import { plainText } from '../text/plain-text.ts'
import { CONFIG_NAMES } from './config.ts'

/** The config that was named, or the one in the folder. Folders above are not searched. */
export function findConfig(folder: string, named: string | null): string {
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

export async function readConfigText(path: string): Promise<string> {
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

/** What `.env` of the folder sets, where nothing else does. The process's own environment is left as it is. */
export async function withEnvFile(folder: string, env: Environment): Promise<Environment> {
  const path = join(folder, '.env')
  try {
    return { ...parseEnv(await readFile(path, 'utf8')), ...env }
  } catch (cause) {
    // Most folders have none.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return env
    throw new FileError(`cannot read ${plainText(path)}`, { cause })
  }
}

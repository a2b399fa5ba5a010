import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CONFIG_NAMES } from '../config/config.ts'
import { hasPassword } from '../config/find-secret.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { StorePlace } from '../config/resolve-config.ts'
import type { Store } from '../store/store.ts'
import { plainText } from '../text/plain-text.ts'
import { configOf } from './flags/config-flags.ts'
import type { Flags } from './flags/parse-flags.ts'
import { surroundings } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export async function openConfiguredStore({ config }: LoadedConfig): Promise<Store> {
  return openPlace(config.store)
}

/** Opens the store for commands that need only a store. If one is named, they need no config. */
export async function openStoreOf(flags: Flags): Promise<Store> {
  const url = flags.get('store') ?? surroundings().env['QUORATE_STORE']?.trim()
  if (hasConfig(flags) || typeof url !== 'string' || url === '') return openConfiguredStore(await configOf(flags))
  refusePassword(flags)
  const place = { url, baseFolder: process.cwd(), isOwnUrl: true }
  const file = sqliteFile(place)
  if (file !== null && !existsSync(file)) throw new UsageError(`there is no store ${plainText(file)}`)
  return openPlace(place)
}

/** Whether a config is named, or there is one in this folder. */
export function hasConfig(flags: Flags): boolean {
  const isNamed = flags.has('config') || (surroundings().env['QUORATE_CONFIG']?.trim() ?? '') !== ''
  return isNamed || CONFIG_NAMES.some((name) => existsSync(name))
}

/** Without a config, which refuses it too. */
export function refusePassword(flags: Flags): void {
  const url = flags.get('store')
  if (typeof url !== 'string' || !hasPassword(url)) return
  throw new UsageError('--store must be without a password, which others could see: set QUORATE_STORE instead')
}

export async function openPlace(place: StorePlace): Promise<Store> {
  const { openStoreAt } = await import('../store/open-store.ts')
  return openStoreAt(place.url, { ...place, now: Date.now })
}

function sqliteFile({ url, baseFolder }: StorePlace): string | null {
  const path = /^sqlite:(.+)$/.exec(url)?.[1] ?? null
  return path === null || path === ':memory:' ? null : resolve(baseFolder, path)
}

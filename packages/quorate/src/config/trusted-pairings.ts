import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { FileError } from '../files/file-error.ts'
import { makeFolder, writeWhole } from '../files/write-whole.ts'
import type { ModelAddress } from '../model/keys.ts'
import type { Environment } from '../model/redact-secrets.ts'
import { jsonOf } from '../record/parse-stored.ts'
import { plainText } from '../text/plain-text.ts'

/** A variable that may be sent to a host that is not its provider's own, because a person allowed it once. */
export interface Pairing {
  readonly variable: string
  /** Scheme, host and port. */
  readonly origin: string
}

const PairingFile = z.object({
  quorate: z.literal(1),
  pairings: z.array(z.object({ variable: z.string(), origin: z.string() })),
})

/**
 * In the user's own folder, never beside a config: the author of a config must not be able to write this file too.
 * For the same reason `env` is the environment of the process, without what an .env file adds.
 */
export function pairingFile(env: Environment): string | null {
  const chosen = env['XDG_CONFIG_HOME'] ?? env['APPDATA'] ?? ''
  const home = env['HOME'] ?? env['USERPROFILE'] ?? ''
  const folder = isAbsolute(chosen) ? chosen : isAbsolute(home) ? join(home, '.config') : null
  return folder === null ? null : join(folder, 'quorate', 'trusted-hosts.json')
}

/** The trusted pairings; empty if nothing was ever trusted. */
export async function readPairings(file: string | null): Promise<readonly Pairing[]> {
  if (file === null) return []
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null
    throw new FileError(`cannot read ${plainText(file)}`, { cause })
  })
  if (text === null) return []
  const read = PairingFile.safeParse(jsonOf(text))
  if (read.success) return read.data.pairings
  throw new FileError(`${plainText(file)} must contain trusted pairings: delete it and pass --trust-config again`, {
    cause: read.error,
  })
}

/** Whether everything that this endpoint would pair has been trusted before; for `trustConfig` of a model. */
export function isTrusted(endpoint: ModelAddress, trusted: readonly Pairing[]): boolean {
  return pairingsOf(endpoint).every(({ variable, origin }) =>
    trusted.some((known) => known.variable === variable && known.origin === origin),
  )
}

/** Remembers the pairings after --trust-config, so that it need not be passed again for the same variables and hosts. */
export async function rememberPairings(file: string | null, endpoints: readonly ModelAddress[]): Promise<void> {
  const known = await readPairings(file)
  const added = endpoints.filter((endpoint) => !isTrusted(endpoint, known)).flatMap(pairingsOf)
  if (file === null || added.length === 0) return
  const rows = new Map([...known, ...added].map((pairing) => [`${pairing.variable} ${pairing.origin}`, pairing]))
  await makeFolder(dirname(file))
  await writeWhole(file, `${JSON.stringify({ quorate: 1, pairings: [...rows.values()] }, null, 2)}\n`, { mode: 0o600 })
}

function pairingsOf({ keyVariables, pairing, url }: ModelAddress): readonly Pairing[] {
  if (pairing !== 'foreign') return []
  return keyVariables.flat().map((variable) => ({ variable, origin: url.origin }))
}

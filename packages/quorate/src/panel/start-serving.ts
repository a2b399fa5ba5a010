import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import type { ResolvedConfig } from '../config/resolve-config.ts'
import { CHAT_EVENTS, isWebhookAddress } from '../config/webhooks.ts'
import { packagePath, packageVersion } from '../files/package-version.ts'
import type { Environment } from '../model/redact-secrets.ts'
import type { CreateServices, ServiceTools } from '../server/services.ts'
import type { RunningServer, ServerOptions } from '../server/start-server.ts'
import type { Target } from '../server/webhooks/targets.ts'
import { plainText } from '../text/plain-text.ts'
import type { PanelWorld } from './process-world.ts'

export const USUAL_PORT = 4711
const CLAIM_MS = 10 * 60_000
const UNDO_MS = 10_000

/** What differs between servers. */
export type Served = Pick<
  ServiceTools,
  'store' | 'panel' | 'certified' | 'settings' | 'stopping' | 'aborting' | 'report' | 'allowMismatch' | 'allowSeen'
>

export type Address = Pick<
  ServerOptions,
  'host' | 'port' | 'publicOrigin' | 'connectionsPerAddress' | 'requiresToken' | 'retainDays' | 'webhooks' | 'log'
>

/** Everything that the services behind the routes need, except for the functions of the webhooks. */
export function serviceTools(served: Served, world: PanelWorld): Omit<ServiceTools, 'messagesOf' | 'wakeSender'> {
  const { now, sleep, newId, newSalt, newKey } = world
  return {
    ...served,
    now,
    sleep,
    newId,
    newSalt,
    newKey,
    claimMs: CLAIM_MS,
    undoMs: UNDO_MS,
    operator: operatorName(),
  }
}

/** Serves the app and the API: what `quorate serve` and `createServer` start. */
export async function startServing(
  served: Served,
  address: Address,
  { world, create }: { readonly world: PanelWorld; readonly create?: CreateServices },
): Promise<RunningServer> {
  // Loaded here, so that --help need not load it.
  const { startServer } = await import('../server/start-server.ts')
  const { createServices } = await import('../server/deciding/create-services.ts')
  const { loadWebFiles } = await import('../server/web-files.ts')
  return startServer(create ?? createServices, serviceTools(served, world), {
    ...address,
    random: world.random,
    // The folder into which the build writes the app. It is the same for the sources and the built package.
    web: await loadWebFiles(packagePath('dist/web')),
    version: packageVersion(),
    stopwatch: world.elapsed,
    newSecret: () => randomBytes(32).toString('base64url'),
  })
}

/** The settings of a config that concern a server and not its panel. */
export function serverSettings(config: ResolvedConfig): ServiceTools['settings'] {
  const {
    budget,
    profile,
    local,
    relative,
    deferGroups,
    spotCheckRate,
    maxClaims,
    secondShare,
    seed,
    guideline,
    panel,
  } = config
  const { alwaysReview } = panel
  const rules = alwaysReview === undefined ? {} : { alwaysReview }
  const declared = { budget, profile, local, relative, deferGroups, guideline, ...rules }
  return { budget, profile, local, relative, spotCheckRate, maxClaims, secondShare, seed, declared }
}

/** Webhooks with their secrets, which come only from the environment. `refuse` creates the error for a missing one. */
export function serverWebhooks(
  { webhooks, notices }: Pick<ResolvedConfig, 'webhooks' | 'notices'>,
  env: Environment,
  refuse: (words: string) => Error,
): readonly (Target & { readonly secret: string })[] {
  const chats = notices.map(({ to, urlEnv, digestMinutes }, index) => {
    const url = env[urlEnv] ?? ''
    const chat = { format: to, digestMs: digestMinutes * 60_000 }
    if (isWebhookAddress(url)) return { url, events: CHAT_EVENTS, secret: '', chat }
    throw refuse(`notices[${index}].urlEnv: ${urlEnv} must be set in the environment to an https address`)
  })
  const programs = webhooks.map(({ url, events, secretEnv }, index) => {
    const secret = env[secretEnv] ?? ''
    if (secret.length >= SHORTEST_SECRET) return { url, events, secret }
    throw refuse(
      `webhooks[${index}].secretEnv: ${secretEnv} must be set in the environment to at least ${SHORTEST_SECRET} characters, ` +
        `such as ${randomBytes(24).toString('base64url')}`,
    )
  })
  return [...programs, ...chats]
}

const SHORTEST_SECRET = 16

/** The name of the account that runs this process. */
function operatorName(): string {
  try {
    return plainText(userInfo().username) || 'operator'
  } catch {
    // In some containers the account is not in the list of users.
    return 'operator'
  }
}

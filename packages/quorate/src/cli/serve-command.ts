import { readFile } from 'node:fs/promises'
import { CONFIG_DEFAULTS } from '../config/defaults.ts'
import { FileError } from '../files/file-error.ts'
import type { Certified } from '../run/calibration/certified.ts'
import { allTokens, isValid } from '../server/access/credentials.ts'
import { isLoopback } from '../server/access/own-address.ts'
import type { ServiceTools } from '../server/services.ts'
import type { RunningServer } from '../server/start-server.ts'
import type { Store } from '../store/store.ts'
import { plainText } from '../text/plain-text.ts'
import type { Command } from './command.ts'
import { CONFIG_FLAGS, CONFIG_FLAGS_HELP } from './config-flags.ts'
import { EXIT } from './exit-code.ts'
import { openInBrowser } from './open-browser.ts'
import { type Flags, numberFlag, parseFlags } from './parse-flags.ts'
import { panelOpener } from './serve-detached.ts'
import { openServedStore, servedConfig, servedSettings, servedSite, servedWebhooks } from './serve-setup.ts'
import { hearEnd, log, reporter, startServing, USUAL_PORT } from './start-serving.ts'
import { tokenCommandText } from './token-command.ts'
import { UsageError } from './usage-error.ts'

const FLAGS = {
  ...CONFIG_FLAGS,
  port: 'string',
  host: 'string',
  certificate: 'string',
  'public-url': 'string',
  'connections-per-address': 'string',
  'require-token': 'boolean',
  retain: 'string',
  open: 'boolean',
  detach: 'boolean',
  'allow-mismatch': 'boolean',
  'allow-seen': 'boolean',
  'allow-unpriced': 'boolean',
  'trust-config': 'boolean',
} as const

export const serveCommand: Command = {
  name: 'serve',
  help: `quorate serve [flags]

Serves the web app and the HTTP API from the store of the config; /docs
describes the API. On loopback nobody needs a token; elsewhere everybody does,
and TLS belongs in front of it. Each request is a line of JSON on standard
error. Ctrl-C finishes what is begun and paid for; a second one ends at once,
and nothing accepted is lost.

Flags
  --port PORT        default ${USUAL_PORT}; 0: any that is free
  --host HOST        address to listen on (default 127.0.0.1)
  --certificate FILE activate this certificate and decide with it (default: the
                     active one of the store); recorded as yours
  --public-url URL   https address of the proxy in front of the server (or
                     QUORATE_PUBLIC_URL); everybody then needs a token
  --connections-per-address N
                     open connections that one client may have (default ${CONFIG_DEFAULTS.server.connectionsPerAddress})
  --require-token    ask for a token on loopback too, as on a machine that
                     others use
  --retain DAYS      erase the texts of debates that are older, once a day
  --detach           take questions in and leave their debates to quorate
                     worker, here or on other machines; needs PostgreSQL
  --open             open the app in a browser
  --allow-mismatch   decide although the panel is not the calibrated one;
                     recorded
  --allow-seen       decide questions the certificate was calibrated on;
                     recorded
  --allow-unpriced   ask models without a known price although there is a spend
                     cap
  --trust-config     let the config send its keys to hosts that are not their
                     own
${CONFIG_FLAGS_HELP}
Examples
  quorate serve --open
  quorate token create --name ops --role admin --kind human
  quorate serve --host 0.0.0.0 --retain 90
  quorate serve --public-url https://quorate.example
  quorate serve --detach
`,
  async run(args, terminal) {
    const { flags } = parseFlags('serve', args, FLAGS)
    const address = serveFlags(flags)
    const certified = await certificateFlag(flags)
    const loaded = await servedConfig(flags)
    const webhooks = servedWebhooks(loaded)
    const site = servedSite(flags, loaded)
    const settings = servedSettings(flags, loaded)
    const openPanel = await panelOpener(flags, loaded)
    const { checkAddress } = await import('../server/listen.ts')
    await checkAddress(address)
    const store = await openServedStore(flags, loaded)
    const end = hearEnd()
    try {
      if (address.requiresToken || site.publicOrigin !== null) await checkToken(store, { ...address, ...site }, flags)
      const report = reporter(loaded)
      const { panel, stop } = await openPanel({ store, webhooks, report })
      const given = { store, panel, certified, settings, ...end, report, ...allowances(flags) }
      const server = await startServing(given, { ...address, ...site, webhooks, log })
      terminal.write(startText(server, panel))
      if (flags.has('open')) openInBrowser(server.url)
      await end.heard
      await server.stop()
      await stop()
      return EXIT.ok
    } finally {
      await store.close()
    }
  },
}

function allowances(flags: Flags) {
  return { allowMismatch: flags.has('allow-mismatch'), allowSeen: flags.has('allow-seen') }
}

function serveFlags(flags: Flags) {
  const host = flags.get('host')
  const isPort = (value: number) => Number.isInteger(value) && value >= 0 && value <= 65_535
  const expected = 'a whole number from 0 to 65535'
  const days = numberFlag(flags, 'retain', {
    fallback: 0,
    expected: 'a number of days from 1 to 36500',
    accepts: (value) => value >= 1 && value <= 36_500,
  })
  const address = typeof host === 'string' ? hostFlag(host) : '127.0.0.1'
  return {
    host: address,
    requiresToken: flags.has('require-token') || !isLoopback(address),
    port: numberFlag(flags, 'port', { fallback: USUAL_PORT, expected, accepts: isPort }),
    retainDays: flags.has('retain') ? days : null,
  }
}

function hostFlag(host: string): string {
  if (/^[\w.:[\]-]{1,255}$/.test(host)) return host
  throw new UsageError('--host must be an address or a host name, such as 0.0.0.0')
}

async function certificateFlag(flags: Flags): Promise<Certified | null> {
  const path = flags.get('certificate')
  if (typeof path !== 'string') return null
  const { openCertified } = await import('../run/calibration/certified.ts')
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new FileError(`cannot read the certificate ${plainText(path)}`, { cause })
  })
  return openCertified(text)
}

async function checkToken(
  store: Store,
  { host, publicOrigin }: { readonly host: string; readonly publicOrigin: string | null },
  flags: Flags,
): Promise<void> {
  const now = Date.now()
  if ((await allTokens(store)).some((token) => isValid(token, now))) return
  const local = publicOrigin === null ? '--require-token needs one' : 'behind a proxy everybody needs one'
  const why = isLoopback(host) ? local : 'off loopback everybody needs one'
  const command = tokenCommandText(flags, '--name NAME --role admin --kind human')
  throw new UsageError(`there is no valid token, and ${why}: run "${command}" first`)
}

function startText({ url, localUrl }: RunningServer, panel: ServiceTools['panel']): string {
  const proxied = url === localUrl ? '' : `The proxy must pass requests on to ${localUrl}\n`
  return `quorate serves ${url} (API: ${url}docs). Ctrl-C ends it.\n${proxied}${panelText(panel)}`
}

function panelText(panel: ServiceTools['panel']): string {
  if ('missing' in panel) return `Questions cannot be debated here: ${plainText(panel.missing)}\n`
  return 'elsewhere' in panel ? 'Questions are debated by quorate worker: start as many as you need.\n' : ''
}

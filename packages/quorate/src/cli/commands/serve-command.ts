import { CONFIG_DEFAULTS } from '../../config/defaults.ts'
import { isLoopback } from '../../model/loopback.ts'
import { USUAL_PORT } from '../../panel/start-serving.ts'
import { allTokens, isValid } from '../../server/access/credentials.ts'
import type { Store } from '../../store/store.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { CONFIG_FLAGS } from '../flags/config-flags.ts'
import { type Flags, type FlagTable, flagsHelp, numberFlag, parseFlags } from '../flags/parse-flags.ts'
import { readCertificate } from '../read-certificate.ts'
import { openInBrowser } from '../serve/open-browser.ts'
import { listenForShutdown, log, reporter, serveFromTerminal } from '../serve/serve-process.ts'
import {
  openServedStore,
  panelOpener,
  servedConfig,
  servedSettings,
  servedSite,
  servedWebhooks,
} from '../serve/serve-setup.ts'
import { surroundings } from '../terminal.ts'
import { startText, startWarnings } from '../text/serve-text.ts'
import { UsageError } from '../usage-error.ts'
import { tokenCommandText } from './token-command.ts'

const FLAGS = {
  port: { value: 'PORT', about: `port to listen on (default ${USUAL_PORT}; 0: any free port)` },
  host: { value: 'HOST', about: 'address to listen on (default 127.0.0.1)' },
  certificate: {
    value: 'FILE',
    about: 'activate this certificate and decide with it (default: the active one of the store); recorded as yours',
  },
  'public-url': {
    value: 'URL',
    about: 'https address of the proxy in front of the server (or QUORATE_PUBLIC_URL). Everybody then needs a token',
  },
  'connections-per-address': {
    value: 'N',
    about: `open connections that one client may have (default ${CONFIG_DEFAULTS.server.connectionsPerAddress})`,
  },
  'require-token': { about: 'require a token on loopback too, as on a machine that others use' },
  retain: { value: 'DAYS', about: 'erase the texts of debates that are older, once a day' },
  detach: {
    about: 'accept questions and leave their debates to quorate worker, here or on other machines; needs PostgreSQL',
  },
  open: { about: 'open the app in a browser' },
  'allow-mismatch': { about: 'decide although the panel is not the calibrated one (recorded)' },
  'allow-seen': { about: 'decide questions that were used for calibration, without a guarantee (recorded)' },
  'allow-unpriced': { about: 'call models without a known price although there is a spend cap' },
  'trust-config': { about: 'let the config send its keys to hosts that are not their own' },
  ...CONFIG_FLAGS,
} satisfies FlagTable

export const serveCommand: Command = {
  name: 'serve',
  help: `quorate serve [flags]

Serves the web app and the HTTP API from the store of the config. /docs
describes the API. On loopback nobody needs a token. Elsewhere everybody does,
and a TLS proxy belongs in front of it. Each request is logged as a line of JSON
on standard error. Ctrl-C finishes calls that are already paid for. A second
Ctrl-C exits immediately. No accepted question is lost.

Flags
${flagsHelp(FLAGS)}
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
    const path = flags.get('certificate')
    const certified = typeof path === 'string' ? await readCertificate(path) : null
    const loaded = await servedConfig(flags)
    const webhooks = servedWebhooks(loaded)
    const site = servedSite(flags, loaded)
    const settings = servedSettings(flags, loaded)
    const openPanel = await panelOpener(flags, loaded)
    const { checkAddress } = await import('../../server/listen.ts')
    await checkAddress(address)
    const store = await openServedStore(flags, loaded)
    const end = listenForShutdown()
    try {
      if (address.requiresToken || site.publicOrigin !== null) await checkToken(store, { ...address, ...site }, flags)
      const report = reporter(loaded)
      const { panel, stop } = await openPanel({ store, webhooks, report })
      try {
        const given = { store, panel, certified, settings, ...end, report, ...allowances(flags) }
        const server = await serveFromTerminal(given, { ...address, ...site, webhooks, log })
        terminal.write(startText(server, panel))
        surroundings().stderr.write(startWarnings(server))
        if (flags.has('open')) openInBrowser(server.url)
        await end.signalled
        await server.stop()
        return EXIT.ok
      } finally {
        // The queue uses the store, so it must stop before the store closes, even if the server could not start.
        await stop()
      }
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
  throw new UsageError(`no valid token exists, and ${why}: run "${command}" first`)
}

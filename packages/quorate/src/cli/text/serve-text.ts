import type { ServiceTools } from '../../server/services.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { plainText } from '../../text/plain-text.ts'

/** What `serve` prints once it listens. */
export function startText(server: RunningServer, panel: ServiceTools['panel']): string {
  const { url, localUrl } = server
  const proxied = url === localUrl ? '' : `The proxy must pass requests on to ${localUrl}\n`
  return `quorate serves ${url} (API: ${url}docs). Ctrl-C ends it.\n${proxied}${certificateText(server)}${panelText(panel)}`
}

/** What an operator should know at the start, on standard error; empty if there is nothing. */
export function startWarnings(server: AtStart): string {
  return promiseWarning(server) + suspensionWarning(server)
}

type AtStart = Pick<RunningServer, 'certificateAtStart' | 'suspendedAtStart'>

function certificateText({ certificateAtStart }: AtStart): string {
  if (certificateAtStart === null) return ''
  const { id, promise, declared } = certificateAtStart
  return `Certificate ${id}: ${promise}${declared === null ? '' : `, but the config declares ${declared}`}.\n`
}

function promiseWarning({ certificateAtStart }: AtStart): string {
  if (certificateAtStart === null || certificateAtStart.declared === null) return ''
  const { promise, declared } = certificateAtStart
  return (
    `quorate: warning: The active certificate promises ${promise}, but the config declares ${declared}. ` +
    "The certificate's promise holds.\n"
  )
}

function suspensionWarning({ suspendedAtStart, certificateAtStart }: AtStart): string {
  // Without a certificate no question is decided at all.
  if (suspendedAtStart === null || certificateAtStart === null) return ''
  const { cause, note } = suspendedAtStart
  const [state, end] = cause === 'shadow' ? ['in shadow mode', 'end shadow mode'] : ['suspended', 'release the policy']
  return (
    `quorate: warning: The policy is ${state}, so every question goes to a person${note === null ? '' : `: ${plainText(note)}`}\n` +
    `  An admin can ${end} on the overview of the app.\n`
  )
}

function panelText(panel: ServiceTools['panel']): string {
  if ('missing' in panel) return `Questions cannot be debated here: ${plainText(panel.missing)}\n`
  return 'elsewhere' in panel ? 'quorate worker debates the questions. Start as many workers as you need.\n' : ''
}

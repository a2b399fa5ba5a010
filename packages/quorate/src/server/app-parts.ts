import type { Sleep } from '../traffic/traffic.ts'
import type { Identity } from './access/identity.ts'
import type { Sessions } from './access/sessions.ts'
import type { ConnectionCounts } from './connections.ts'
import type { DeclaredLabels } from './openai/read-request.ts'
import type { RequestFigures } from './request-figures.ts'
import type { WebFiles } from './web-files.ts'

/** What the app needs besides its services and its access control. */
export interface AppParts {
  readonly sessions: Sessions
  /** Why this server is not ready for requests; null: it is ready (`createReadiness` in start-server.ts). */
  readonly unready: () => Promise<string | null>
  readonly outboxCounts: () => Promise<{ readonly pending: number; readonly failed: number }>
  readonly connections: () => ConnectionCounts
  /** The files of the built web app; null: it was not built. */
  readonly web: WebFiles | null
  readonly version: string
  /** Options that the config declares, for requests that list none. */
  readonly labels: DeclaredLabels
  /** How long a submitted review can be undone, which the app shows. */
  readonly undoMs: number
  readonly figures: RequestFigures
  readonly log: (line: RequestLine) => void
  /** Logs the cause of a status 500, which the caller must not see. */
  readonly report: (words: string, cause?: unknown) => void
  readonly newId: () => string
  /** Monotonic, in milliseconds, for durations. */
  readonly stopwatch: () => number
  readonly sleep: Sleep
  /** Interval between the heartbeats of a quiet stream of events. */
  readonly heartbeatMs: number
  /** Fires when the server shuts down. Waiting requests are then answered, and streams are closed. */
  readonly stopping: AbortSignal
}

/** A request in the log, without its body, token, query, or any name from its path. */
export interface RequestLine {
  readonly time: number
  readonly id: string
  readonly method: string
  /** The pattern of the route; null: no route, or a file of the app. */
  readonly route: string | null
  readonly status: number
  readonly ms: number
  /** The caller's name; null: the route needs no identity, or the caller is unknown. */
  readonly who: string | null
}

export interface AppVariables {
  identity?: Identity
  route?: string
}

export interface AppEnvironment {
  Variables: AppVariables
  // Node's request, if Node serves the app.
  Bindings: {
    readonly incoming?: {
      /** As it was sent, before any URL parser has normalised it. */
      readonly url?: string | undefined
      /** By their names in lower case. */
      readonly headers?: Readonly<Record<string, unknown>>
      readonly socket?: { readonly remoteAddress?: string | undefined }
    }
  }
}

import type { Sleep } from '../traffic/traffic.ts'
import type { Identity } from './access/identity.ts'
import type { Sessions } from './access/sessions.ts'
import type { ConnectionCounts } from './connections.ts'
import type { DeclaredLabels } from './openai/read-request.ts'
import type { RequestFigures } from './request-figures.ts'
import type { WebFiles } from './web-files.ts'

/** What the app needs beside its services and its access control. */
export interface AppParts {
  readonly sessions: Sessions
  /** Why no request should be sent here; null: the store answers, and its file is the one that was opened. */
  readonly unready: () => Promise<string | null>
  readonly outboxCounts: () => Promise<{ readonly pending: number; readonly failed: number }>
  readonly connections: () => ConnectionCounts
  /** The built app; null where there is none. */
  readonly web: WebFiles | null
  readonly version: string
  /** Options that the config declares, for requests that list none. */
  readonly labels: DeclaredLabels
  /** How long a submitted review can be undone, for the app to show. */
  readonly undoMs: number
  readonly figures: RequestFigures
  readonly log: (line: RequestLine) => void
  /** For the log and not for the caller: why it was status 500. */
  readonly report: (words: string, cause?: unknown) => void
  readonly newId: () => string
  /** In milliseconds, never back: for durations. */
  readonly stopwatch: () => number
  readonly sleep: Sleep
  /** Between two comments of a quiet stream of events. */
  readonly heartbeatMs: number
  /** Fires when the server shuts down: waiting requests are answered, and streams are closed. */
  readonly stopping: AbortSignal
}

/** One request in the log: no body, no token, no query, no name from the path. */
export interface RequestLine {
  readonly time: number
  readonly id: string
  readonly method: string
  /** The pattern of the route; null: none, or a file of the app. */
  readonly route: string | null
  readonly status: number
  readonly ms: number
  /** Who it was; null: nobody was asked, or nobody known. */
  readonly who: string | null
}

export interface AppVariables {
  identity?: Identity
  route?: string
}

export interface AppEnvironment {
  Variables: AppVariables
  // Node's request, where the app is served by Node.
  Bindings: {
    readonly incoming?: {
      /** As it was sent, before any URL parser. */
      readonly url?: string | undefined
      /** By their names in small letters. */
      readonly headers?: Readonly<Record<string, unknown>>
      readonly socket?: { readonly remoteAddress?: string | undefined }
    }
  }
}

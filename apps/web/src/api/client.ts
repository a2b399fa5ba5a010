import type { Problem, SESSION_KEY_HEADER } from 'quorate/contract'
import { sessionKey } from './session-key.ts'

/** What the server refused, or could not be asked. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly problem: Problem | null
  /** How long a server that is asked too often wants to be left alone; null where it does not say. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, problem: Problem | null, message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.status = status
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** One request to our own server. Names in paths must be encoded by the caller. */
export async function request<Answer>(path: string, { method = 'GET', body, signal }: RequestOptions = {}): Promise<Answer> {
  const response = await fetch(path, {
    method,
    ...(signal === undefined ? {} : { signal }),
    headers: { ...sessionHeader(), ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    throw new ApiError(0, null, 'the server cannot be reached')
  })
  if (!response.ok) throw await refusal(response)
  // The server's own contract: both sides are built from the same types.
  return (response.status === 204 ? null : await response.json()) as Answer
}

/** A file of the server, which may be large; with a body it is asked for by POST. */
export async function requestFile(path: string, body?: unknown): Promise<Blob> {
  const headers = { ...sessionHeader(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const posted = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(path, { headers, ...posted }).catch(() => {
    throw new ApiError(0, null, 'the server cannot be reached')
  })
  if (!response.ok) throw await refusal(response)
  return response.blob()
}

/** Only types are taken from the contract: its schemas need not be loaded here. */
const KEY_HEADER: typeof SESSION_KEY_HEADER = 'x-quorate-session'

function sessionHeader(): Readonly<Record<string, string>> {
  const key = sessionKey()
  return key === null ? {} : { [KEY_HEADER]: key }
}

async function refusal(response: Response): Promise<ApiError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true
  const problem = isProblem ? ((await response.json()) as Problem) : null
  const message = problem?.detail ?? `the server answered ${response.status}`
  return new ApiError(response.status, problem, message, problem?.retryAfterSeconds ?? secondsOf(response))
}

/** Our server sends seconds; the date that a proxy may send instead says nothing without its clock. */
function secondsOf(response: Response): number | null {
  const text = response.headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}

import type { Problem, SESSION_KEY_HEADER } from 'quorate/contract'
import { sessionKey } from './session-key.ts'

/** A request that the server refused, or that never reached it (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly problem: Problem | null
  /** How long to wait before the next request, from a server that limits the rate; null if it gave no time. */
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

/** Sends one request to our own server. The caller encodes names in the path. */
export async function request<Answer>(
  path: string,
  { method = 'GET', body, signal }: RequestOptions = {},
): Promise<Answer> {
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
  // Server and app are built from the same types, so the response is not parsed again.
  return (response.status === 204 ? null : await response.json()) as Answer
}

/** Downloads a file from the server. With a body, the request is a POST. */
export async function requestFile(path: string, body?: unknown): Promise<Blob> {
  const headers = { ...sessionHeader(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const posted = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(path, { headers, ...posted }).catch(() => {
    throw new ApiError(0, null, 'the server cannot be reached')
  })
  if (!response.ok) throw await refusal(response)
  return response.blob()
}

/** The contract exports the same value. Importing only its type keeps the schemas out of the bundle. */
const KEY_HEADER: typeof SESSION_KEY_HEADER = 'x-quorate-session'

function sessionHeader(): Readonly<Record<string, string>> {
  const key = sessionKey()
  return key === null ? {} : { [KEY_HEADER]: key }
}

async function refusal(response: Response): Promise<ApiError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true
  const problem = isProblem ? ((await response.json()) as Problem) : null // as its content type says
  const message = problem?.detail ?? `the server answered ${response.status}`
  return new ApiError(response.status, problem, message, problem?.retryAfterSeconds ?? secondsOf(response))
}

/** Our server sends seconds. A proxy may send a date instead, which is useless without the proxy's clock. */
function secondsOf(response: Response): number | null {
  const text = response.headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}

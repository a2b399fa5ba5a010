import type { SignedIn } from 'quorate/contract'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { ApiError, request } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { storeSessionKey } from '../../api/session-key.ts'
import { DataText } from '../../parts/data-text.tsx'
import './sign-in.css'

const WORDS = {
  limited: (seconds: number) =>
    seconds > 0 ? `Too many attempts. Try again in ${seconds} s.` : 'Too many attempts. You may try again now.',
} as const

/** Exchanges a token for a session. */
export function SignInPage() {
  useEffect(() => {
    document.title = `Sign in · quorate`
  }, [])
  return (
    <main className="sign-in">
      <p className="brand">quorate</p>
      <h1>Sign in</h1>
      <p>This server requires a token, because other machines can reach it or because it is configured so.</p>
      <TokenForm />
      <h2>No token yet?</h2>
      <p>The operator of the server creates one on its machine. It is shown once and stored only as a digest.</p>
      <pre>quorate token create --name NAME --role reviewer --kind human</pre>
      <p>A viewer reads, a reviewer also reviews, an admin also suspends and releases the policy.</p>
      <p className="soft">
        This browser does not keep the token. It exchanges the token for a cookie that no script can read and a key that
        only this address can read.
      </p>
    </main>
  )
}

function TokenForm() {
  const [token, setToken] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const field = useRef<HTMLInputElement>(null)
  const secondsLeft = useSecondsLeft(error)
  useEffect(() => field.current?.focus(), [])
  const enter = async () => {
    if (isBusy || secondsLeft > 0) return
    if (token.trim() === '') return setError(new Error('Paste your token first.'))
    setBusy(true)
    try {
      const { sessionKey } = await request<SignedIn>('/v1/session', { method: 'POST', body: { token: token.trim() } })
      storeSessionKey(sessionKey)
      await queryClient.resetQueries()
    } catch (cause) {
      setError(cause)
      field.current?.select()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void enter()
      }}
    >
      <TokenField field={field} token={token} setToken={setToken} isWrong={error !== null} />
      <p id="token-error" className="error" role="alert">
        {error === null ? null : <DataText text={errorText(error, secondsLeft)} />}
      </p>
      <button type="submit" className="primary" disabled={isBusy || secondsLeft > 0}>
        {isBusy ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  )
}

function TokenField({
  field,
  token,
  setToken,
  isWrong,
}: {
  readonly field: RefObject<HTMLInputElement | null>
  readonly token: string
  readonly setToken: (token: string) => void
  readonly isWrong: boolean
}) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <label htmlFor="token">Token</label>
      <div className="field">
        <input
          ref={field}
          id="token"
          type={isShown ? 'text' : 'password'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          value={token}
          aria-invalid={isWrong}
          aria-describedby="token-error"
          onChange={(event) => setToken(event.target.value)}
        />
        <button type="button" aria-controls="token" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
    </>
  )
}

function errorText(error: unknown, secondsLeft: number): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.status === 0) return 'The server cannot be reached. Is quorate serve running?'
  if (error.status === 401) return 'The token is unknown, expired or revoked. Check that all of it was copied.'
  return error.status === 429 ? WORDS.limited(secondsLeft) : error.message
}

/** Seconds until the next attempt is allowed, after a 429 response; 0 if it is allowed now. */
function useSecondsLeft(error: unknown): number {
  const seconds = error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 1) : 0
  const [left, setLeft] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new error starts the clock anew
  useEffect(() => {
    setLeft(seconds)
    if (seconds === 0) return
    const until = Date.now() + seconds * 1000
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000))), 250)
    return () => clearInterval(timer)
  }, [error])
  return left
}

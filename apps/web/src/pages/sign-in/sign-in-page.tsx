import type { SignedIn } from 'quorate/contract'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { ApiError, ask } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { keepSessionKey } from '../../api/session-key.ts'
import { DataText } from '../../parts/data-text.tsx'
import { TEXT } from '../../text/english.ts'
import './sign-in.css'

const WORDS = TEXT.signIn

/** A token for a cookie. */
export function SignInPage() {
  useEffect(() => {
    document.title = `${WORDS.title} · ${TEXT.app.name}`
  }, [])
  return (
    <main className="sign-in">
      <p className="brand">{TEXT.app.name}</p>
      <h1>{WORDS.title}</h1>
      <p>{WORDS.why}</p>
      <TokenForm />
      <h2>{WORDS.how}</h2>
      <p>{WORDS.howWhy}</p>
      <pre>{WORDS.command}</pre>
      <p>{WORDS.roles}</p>
      <p className="soft">{WORDS.cookie}</p>
    </main>
  )
}

function TokenForm() {
  const [token, setToken] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const field = useRef<HTMLInputElement>(null)
  const waits = useSecondsLeft(error)
  useEffect(() => field.current?.focus(), [])
  const enter = async () => {
    if (isBusy || waits > 0) return
    if (token.trim() === '') return setError(new Error(WORDS.missing))
    setBusy(true)
    try {
      const { sessionKey } = await ask<SignedIn>('/v1/session', { method: 'POST', body: { token: token.trim() } })
      keepSessionKey(sessionKey)
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
        {error === null ? null : <DataText text={errorText(error, waits)} />}
      </p>
      <button type="submit" className="primary" disabled={isBusy || waits > 0}>
        {isBusy ? WORDS.entering : WORDS.enter}
      </button>
    </form>
  )
}

interface TokenFieldProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly token: string
  readonly setToken: (token: string) => void
  readonly isWrong: boolean
}

function TokenField({ field, token, setToken, isWrong }: TokenFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <label htmlFor="token">{WORDS.token}</label>
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
          {isShown ? WORDS.hide : WORDS.show}
        </button>
      </div>
    </>
  )
}

function errorText(error: unknown, waits: number): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.status === 0) return WORDS.gone
  if (error.status === 401) return WORDS.wrong
  return error.status === 429 ? WORDS.limited(waits) : error.message
}

/** Of a server that asks to wait. */
function useSecondsLeft(error: unknown): number {
  const asked = error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 1) : 0
  const [left, setLeft] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new error starts the clock anew
  useEffect(() => {
    setLeft(asked)
    if (asked === 0) return
    const until = Date.now() + asked * 1000
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000))), 250)
    return () => clearInterval(timer)
  }, [error])
  return left
}

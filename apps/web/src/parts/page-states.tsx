import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { errorText } from './error-text.ts'
import { timeText } from './number-text.ts'

const WORDS = {
  loading: (what: string) => `Loading ${what} …`,
} as const

/** Reserves the space of the content, so that the layout does not shift. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <section className="state loading" aria-busy="true" aria-live="polite">
      <div className="skeleton" aria-hidden="true">
        <i className="short" />
        <i />
        <i className="middle" />
        <i className="box" />
      </div>
      <p className="small soft">{WORDS.loading(what)}</p>
    </section>
  )
}

interface FailureProps {
  readonly error: unknown
  readonly again?: () => void
  /** The time of the figures that stay on the page, if there are any. */
  readonly shownFrom?: number
}

export function Failure({ error, again, shownFrom }: FailureProps) {
  const problem = error instanceof ApiError ? error.problem : null
  const words = error instanceof Error ? error.message : String(error)
  const sentence = errorText(error)
  return (
    <section className="state failure" role="alert">
      <h2>{shownFrom === undefined ? (problem?.title ?? 'This did not work') : 'The figures did not load.'}</h2>
      <p>
        {shownFrom === undefined
          ? words
          : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)} What you see is from ${timeText(shownFrom)}.`}
      </p>
      {problem?.next === undefined ? null : <p>{problem.next}</p>}
      {again === undefined ? null : (
        <p>
          <button type="button" data-again onClick={again}>
            Try again <kbd>R</kbd>
          </button>
        </p>
      )}
    </section>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <section className="state empty">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

import type { Verdict } from '@quorate/certificate'

const MARKS: Readonly<Record<Verdict, string>> = { falsified: '✕', 'not falsified': '○', 'not enough data': '–' }

/** A shape with a word, so that no verdict depends on colour alone. */
export function VerdictMark({ verdict, words }: { readonly verdict: Verdict; readonly words: string }) {
  return (
    <span className={`verdict-mark ${verdict === 'falsified' ? 'bad' : ''}`}>
      <span aria-hidden="true">{MARKS[verdict]}</span> {words}
    </span>
  )
}

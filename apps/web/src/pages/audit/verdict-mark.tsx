import type { Verdict } from '@quorate/certificate'

const MARKS: Readonly<Record<Verdict, string>> = { falsified: '✕', 'not falsified': '○', 'not enough data': '–' }

/** A shape beside every word: nothing is said by colour alone. */
export function VerdictMark({ verdict, words }: { readonly verdict: Verdict; readonly words: string }) {
  return (
    <span className={`verdict-mark ${verdict === 'falsified' ? 'bad' : ''}`}>
      <span aria-hidden="true">{MARKS[verdict]}</span> {words}
    </span>
  )
}

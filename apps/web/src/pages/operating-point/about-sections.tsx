import { countText } from 'quorate/figures'
import { useState } from 'react'
import { TEXT } from '../../text/english.ts'
import type { Decided, ReplayFacts } from './replay/create-replay.ts'
import { configLines, isFeasible, type Settings } from './replay/settings.ts'

export function ClaimSection({ decided }: { readonly decided: Decided }) {
  return (
    <section aria-labelledby="operating-claim">
      <h2 id="operating-claim">{TEXT.operating.claim}</h2>
      <div className="operating-promise">
        {decided.budget.feasible ? (
          decided.claim.map((sentence) => <p key={sentence}>{sentence}</p>)
        ) : (
          <p>{TEXT.operating.noClaim}</p>
        )}
      </div>
    </section>
  )
}

const CAVEATS: Readonly<Record<Settings['profile'], string>> = {
  total: TEXT.operating.totalCaveat,
  cells: TEXT.operating.cellsCaveat,
  tight: TEXT.operating.neighbourCaveat,
  paper: TEXT.operating.neighbourCaveat,
}

export function CaveatSection({ decided, facts }: { readonly decided: Decided; readonly facts: ReplayFacts }) {
  const { profile } = decided.settings
  return (
    <section aria-labelledby="operating-caveats">
      <h2 id="operating-caveats">{TEXT.operating.caveats}</h2>
      <ul>
        <li>{CAVEATS[profile]}</li>
        <li>{TEXT.operating.looked}</li>
        {profile === facts.declared.profile ? null : <li>{TEXT.operating.fitted}</li>}
      </ul>
    </section>
  )
}

/** Why a stored debate is not decided again, in the order in which it is said. */
export const LEFT_OUT = ['stoppedEarly', 'calibration', 'otherPanel', 'hidden', 'tooMany'] as const

export function CountedSection({ decided, facts }: { readonly decided: Decided; readonly facts: ReplayFacts }) {
  const { draws, labelled, undecidable, others } = decided.figures
  const { short, failed } = facts.unfinished
  const left = LEFT_OUT.filter((reason) => facts.leftOut[reason] > 0)
  return (
    <section aria-labelledby="operating-counted">
      <h2 id="operating-counted">{TEXT.operating.counted}</h2>
      <ul>
        <li>{TEXT.operating.draws(countText(draws), countText(labelled))}</li>
        {short === 0 ? null : <li>{TEXT.operating.short(countText(short))}</li>}
        {failed === 0 ? null : <li>{TEXT.operating.failed(countText(failed))}</li>}
        {undecidable === 0 ? null : <li>{TEXT.operating.undecidable(countText(undecidable))}</li>}
        {others.debates === 0 ? null : (
          <li>{TEXT.operating.others(countText(others.debates), countText(others.acted))}</li>
        )}
        {left.map((reason) => (
          <li key={reason}>{TEXT.operating.leftOut[reason](countText(facts.leftOut[reason]))}</li>
        ))}
        {left.length === 0 ? <li>{TEXT.operating.leftOut.none}</li> : null}
      </ul>
    </section>
  )
}

export function ConfigSection({ settings, rounds }: { readonly settings: Settings; readonly rounds: number }) {
  return (
    <section aria-labelledby="operating-config">
      <h2 id="operating-config">{TEXT.operating.config}</h2>
      {isFeasible(settings, rounds) ? <ConfigLines settings={settings} /> : <p>{TEXT.operating.noConfig}</p>}
    </section>
  )
}

function ConfigLines({ settings }: { readonly settings: Settings }) {
  const lines = configLines(settings)
  const [copied, setCopied] = useState<{ readonly lines: string; readonly isDone: boolean } | null>(null)
  const copy = () =>
    // Absent where the page is neither on loopback nor encrypted.
    (navigator.clipboard?.writeText(lines) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setCopied({ lines, isDone: true }),
      () => setCopied({ lines, isDone: false }),
    )
  const word = copied?.lines !== lines ? '' : copied.isDone ? TEXT.operating.copied : TEXT.operating.notCopied
  return (
    <>
      <pre className="operating-code">
        <code>{lines}</code>
      </pre>
      <p>
        <button type="button" onClick={() => void copy()}>
          {TEXT.operating.copy}
        </button>{' '}
        <span role="status" className="soft">
          {word}
        </span>
      </p>
      <p className="soft">{TEXT.operating.configHow}</p>
    </>
  )
}

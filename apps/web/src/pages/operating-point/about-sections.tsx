import { countText } from 'quorate/figures'
import { useState } from 'react'
import type { Decided, ReplayFacts } from './replay/create-replay.ts'
import { configLines, isFeasible, type Settings } from './replay/settings.ts'

const WORDS = {
  representative: (count: string, labelled: string) =>
    `Shares are of ${count} debates that represent the population (imported, or sampled for a spot check). ${labelled} of them have a label (from a review, an import, or with the question).`,
  short: (count: string) =>
    `${count} were sampled for a spot check, but the client did not debate them to the last round. Their outcome is not known. Shares are ranges: all of them deferred at one end, all of them acted on and wrong at the other. Continue every debate whose isSpotCheck is true, and the range closes.`,
  failed: (count: string) => `${count} of them broke off: they count as deferred.`,
  unjudged: (count: string) =>
    `For ${count} the reviewer could not tell what is right, or called the question bad. They count as wrong wherever they would be acted on, as in calibration.`,
  others: (debates: string, acted: string) =>
    `${debates} more are here because they were deferred. They are not a random sample, so no share counts them. ${acted} of them would be acted on.`,
  leftOut: {
    stoppedEarly: (count: string) => `${count} stopped before the last round, so their later rounds are not known.`,
    calibration: (count: string) => `The certificate was made from ${count}, so it cannot be tried on them.`,
    otherPanel: (count: string) => `${count} belong to another panel.`,
    hidden: (count: string) => `${count} wait for a review that may be blind. They appear when they are reviewed.`,
    tooMany: (count: string) => `${count} are older than those shown here, which are the latest.`,
  },
} as const

export function ClaimSection({ decided }: { readonly decided: Decided }) {
  return (
    <section aria-labelledby="operating-claim">
      <h2 id="operating-claim">What would be promised</h2>
      <div className="operating-promise">
        {decided.budget.feasible ? (
          decided.claim.map((sentence) => <p key={sentence}>{sentence}</p>)
        ) : (
          <p>Nothing: with this budget every question is deferred.</p>
        )}
      </div>
    </section>
  )
}

const CAVEATS: Readonly<Record<Settings['profile'], string>> = {
  total:
    'A beta or floor chosen by looking at this page is a further attempt on the same labels: calibrate counts it and tests at a smaller delta.',
  cells:
    'Classes follow the threshold, so another beta means other classes, and a larger beta may act on fewer debates. Each beta keeps its promise if it is declared before anybody looks at these labels. The best of many betas tried here has no promise.',
  tight: 'beta and epsilon only move the threshold. Another delta changes every bound.',
  paper: 'beta and epsilon only move the threshold. Another delta changes every bound.',
}

export function CaveatSection({ decided, facts }: { readonly decided: Decided; readonly facts: ReplayFacts }) {
  const { profile } = decided.settings
  return (
    <section aria-labelledby="operating-caveats">
      <h2 id="operating-caveats">Before you choose</h2>
      <ul>
        <li>{CAVEATS[profile]}</li>
        <li>Debates that helped to choose a budget are no fresh evidence for it. Spot checks after the change are.</li>
        {profile === facts.declared.profile ? null : (
          <li>
            This profile was fitted here, on the labelled debates of the certificate in use, with the usual options.
          </li>
        )}
      </ul>
    </section>
  )
}

/** Reasons for which a stored debate is not decided again, in the order of the list. */
const LEFT_OUT = ['stoppedEarly', 'calibration', 'otherPanel', 'hidden', 'tooMany'] as const

/** A sentence about spot checks that stopped early; null if there are none. */
export function shortSentence({ unfinished: { short } }: ReplayFacts): string | null {
  return short === 0 ? null : WORDS.short(countText(short))
}

/** A sentence for each reason for which stored debates are not decided again. */
export function leftOutSentences({ leftOut }: ReplayFacts): readonly string[] {
  return LEFT_OUT.filter((reason) => leftOut[reason] > 0).map((reason) =>
    WORDS.leftOut[reason](countText(leftOut[reason])),
  )
}

export function CountedSection({ decided, facts }: { readonly decided: Decided; readonly facts: ReplayFacts }) {
  const { representative, labelled, unjudged, others } = decided.figures
  const { failed } = facts.unfinished
  const short = shortSentence(facts)
  const leftOut = leftOutSentences(facts)
  return (
    <section aria-labelledby="operating-counted">
      <h2 id="operating-counted">Which debates are counted</h2>
      <ul>
        <li>{WORDS.representative(countText(representative), countText(labelled))}</li>
        {short === null ? null : <li>{short}</li>}
        {failed === 0 ? null : <li>{WORDS.failed(countText(failed))}</li>}
        {unjudged === 0 ? null : <li>{WORDS.unjudged(countText(unjudged))}</li>}
        {others.debates === 0 ? null : <li>{WORDS.others(countText(others.debates), countText(others.acted))}</li>}
        {leftOut.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {leftOut.length === 0 ? <li>No stored debate was left out.</li> : null}
      </ul>
    </section>
  )
}

export function ConfigSection({ settings, rounds }: { readonly settings: Settings; readonly rounds: number }) {
  return (
    <section aria-labelledby="operating-config">
      <h2 id="operating-config">To use this</h2>
      {isFeasible(settings, rounds) ? (
        <ConfigLines settings={settings} />
      ) : (
        <p>Nothing: with this budget nothing can be certified.</p>
      )}
    </section>
  )
}

function ConfigLines({ settings }: { readonly settings: Settings }) {
  const lines = configLines(settings)
  const [copied, setCopied] = useState<{ readonly lines: string; readonly isDone: boolean } | null>(null)
  const copy = () =>
    // The browser provides a clipboard only on loopback or over HTTPS.
    (navigator.clipboard?.writeText(lines) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setCopied({ lines, isDone: true }),
      () => setCopied({ lines, isDone: false }),
    )
  const word = copied?.lines !== lines ? '' : copied.isDone ? 'Copied' : 'Select the lines and copy them'
  return (
    <>
      <pre className="operating-code">
        <code>{lines}</code>
      </pre>
      <p>
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>{' '}
        <span role="status" className="soft">
          {word}
        </span>
      </p>
      <p className="soft">
        Put these lines into quorate.config.yaml, make a certificate with quorate calibrate, and activate it.
      </p>
    </>
  )
}

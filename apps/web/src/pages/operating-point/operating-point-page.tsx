import './operating-point.css'
import { countText } from 'quorate/figures'
import { useCallback, useEffect, useRef, useState } from 'react'
import { parsePlace } from '../../app/place.ts'
import { linkTo, usePlace } from '../../app/router.ts'
import { OutcomeMark } from '../../parts/mark.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import {
  CaveatSection,
  ClaimSection,
  ConfigSection,
  CountedSection,
  leftOutSentences,
  shortSentence,
} from './about-sections.tsx'
import { Controls } from './controls.tsx'
import { DialsSection } from './dials.tsx'
import { FrontierSection } from './frontier-section.tsx'
import type { Change, Outcomes } from './replay/change.ts'
import type { Decided, ReplayFacts } from './replay/create-replay.ts'
import { fromQuery, isSame, type Settings, toQuery } from './replay/settings.ts'
import { ResultFigures, spanText, Tiles } from './results.tsx'
import { type Replaying, useReplay } from './use-replay.ts'

const WORDS = {
  stages: {
    reading: 'Reading the labelled debates …',
    fitting: 'Fitting the profile on the labelled debates …',
    deciding: 'Deciding the stored debates again …',
  },
  decidedIn: (debates: string, time: string) => `${debates} debates decided again in ${time} ms`,
  spoken: (acted: string, wrong: string) => `Acts on ${acted}. Acts and is wrong: ${wrong}.`,
  more: (count: string) => `${count} more would be acted on`,
  fewer: (count: string) => `${count} would no longer be acted on`,
  moved: (earlier: string, later: string) => `${earlier} would act in an earlier round, ${later} in a later one.`,
  ofAll: (count: string) => `Of all ${count} debates decided again.`,
  outcomes: (right: string, wrong: string, unlabelled: string) =>
    `${right} right, ${wrong} wrong, ${unlabelled} without a label`,
} as const

/** Sliders with which the browser decides every stored debate again. */
export function OperatingPointPage() {
  const replaying = useReplay()
  const { status, facts, error } = replaying.state
  return (
    <section className="section">
      {status === 'failed' ? <Failure error={error} again={replaying.again} /> : null}
      {status === 'loading' ? <Loading what="the stored debates" /> : null}
      {status === 'none' ? (
        <Empty title="There is no certificate to try budgets with">
          <p>Make one from labelled debates, then start the server with it, or activate it on its page:</p>
          <pre className="operating-code">
            {
              'quorate calibrate debates.jsonl --beta 0.1 --out certificate.json\nquorate serve --certificate certificate.json\n'
            }
          </pre>
          <p>
            <a href={linkTo('certificates')}>To the certificates</a>
          </p>
        </Empty>
      ) : null}
      {status === 'ready' && facts !== null ? <Ready facts={facts} replaying={replaying} /> : null}
    </section>
  )
}

function Ready({ facts, replaying }: { readonly facts: ReplayFacts; readonly replaying: Replaying }) {
  const { state, decide, requestPath } = replaying
  const [settings, change] = useSettings(facts.declared)
  useEffect(() => decide(settings), [settings, decide])
  const requestOwnPath = useCallback(() => requestPath(settings.profile), [settings.profile, requestPath])
  if (facts.debates === 0) return <NoDebates facts={facts} />
  const decided = state.decided?.decided ?? null
  const isTotal = decided?.total !== null && decided !== null
  return (
    <>
      {isTotal ? (
        <DialsSection decided={decided} settings={settings} declared={facts.declared} change={change} />
      ) : null}
      <details className="operating-fold" open={!isTotal || !isSame(settings, facts.declared)}>
        <summary>What these settings would do with the stored debates, and how to use them</summary>
        <div className="operating">
          <Controls facts={facts} settings={settings} change={change} decided={decided} />
          <section className="operating-result" aria-labelledby="operating-result" aria-busy={decided === null}>
            <h2 id="operating-result">What it would do</h2>
            <WorkLine replaying={replaying} debates={facts.debates} />
            {decided === null ? null : (
              <>
                <Tiles decided={decided} />
                <ResultFigures decided={decided} />
                <Announcement decided={decided} />
              </>
            )}
          </section>
        </div>
        {decided === null ? null : (
          <div className="operating-about">
            <ChangeSection change={decided.change} />
            <ConfigSection settings={settings} rounds={facts.rounds} />
            <ClaimSection decided={decided} />
            <div className="operating-stack">
              <CaveatSection decided={decided} facts={facts} />
              <CountedSection decided={decided} facts={facts} />
            </div>
          </div>
        )}
        {decided === null ? null : (
          <FrontierSection
            settings={settings}
            declaredBeta={facts.declared.beta}
            path={state.path}
            requestPath={requestOwnPath}
          />
        )}
      </details>
    </>
  )
}

function NoDebates({ facts }: { readonly facts: ReplayFacts }) {
  const short = shortSentence(facts)
  return (
    <Empty title="There is no stored debate to decide again">
      <p>
        Debates count here when they have all their rounds and the certificate was not made from them. Import some, or
        sample spot checks (review.spotCheckRate).
      </p>
      <pre className="operating-code">{'quorate import debates.jsonl --as debates\n'}</pre>
      <ul>
        {short === null ? null : <li>{short}</li>}
        {leftOutSentences(facts).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Empty>
  )
}

/** A line with reserved space that shows the work under way, what failed, or how long it took. */
function WorkLine({ replaying, debates }: { readonly replaying: Replaying; readonly debates: number }) {
  const { stage, undecided, decided } = replaying.state
  if (stage !== null) {
    const steps = ['reading', 'fitting', 'deciding'] as const
    return (
      <p className="operating-work" role="status">
        <progress max={steps.length} value={steps.indexOf(stage) + 0.5} aria-label={WORDS.stages[stage]} />{' '}
        {WORDS.stages[stage]}
      </p>
    )
  }
  if (undecided !== null) {
    return (
      <p className="operating-work operating-undecided" role="alert">
        <strong>This cannot be decided.</strong> {undecided.reason}
      </p>
    )
  }
  const time = decided === null ? '' : decided.milliseconds.toFixed(decided.milliseconds < 10 ? 1 : 0)
  return (
    <p className="operating-work soft">
      {decided === null ? 'Deciding the stored debates again …' : WORDS.decidedIn(countText(debates), time)}
    </p>
  )
}

const REST_MS = 700

/** Announces the result to screen readers once the sliders have stopped. */
function Announcement({ decided: { figures } }: { readonly decided: Decided }) {
  const words = WORDS.spoken(spanText(figures.acted), spanText(figures.wrong))
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(words), REST_MS)
    return () => clearTimeout(timer)
  }, [words])
  return (
    <p className="hidden" role="status">
      {announced}
    </p>
  )
}

/** What would change compared with the certificate in use. */
function ChangeSection({ change }: { readonly change: Change }) {
  const { more, fewer, earlier, later } = change
  const isSame = more.count + fewer.count + earlier + later === 0
  return (
    <section className="operating-change" aria-labelledby="operating-change">
      <h2 id="operating-change">Against the certificate in use</h2>
      {isSame ? (
        <p>The same debates would be acted on, in the same rounds.</p>
      ) : (
        <ul>
          <li>
            <OutcomeMark outcome="act" /> <strong>{WORDS.more(countText(more.count))}</strong>
            <Counts outcomes={more} />
          </li>
          <li>
            <OutcomeMark outcome="defer" /> <strong>{WORDS.fewer(countText(fewer.count))}</strong>
            <Counts outcomes={fewer} />
          </li>
          <li>{WORDS.moved(countText(earlier), countText(later))}</li>
        </ul>
      )}
      <p className="soft">{WORDS.ofAll(countText(change.debates))}</p>
    </section>
  )
}

function Counts({ outcomes: { count, right, wrong, unlabelled } }: { readonly outcomes: Outcomes }) {
  if (count === 0) return null
  return <span>: {WORDS.outcomes(countText(right), countText(wrong), countText(unlabelled))}</span>
}

/** Browsers refuse to change the address more than about 200 times in ten seconds. */
const ADDRESS_DELAY_MS = 250

/** The settings of the sliders. The address follows them, and they follow an address that the user opens or returns to. */
function useSettings(declared: Settings): readonly [Settings, (settings: Settings) => void] {
  const { query } = usePlace()
  const text = query.toString()
  const [settings, setSettings] = useState(() => fromQuery(query, declared))
  const written = useRef(text)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    if (text === written.current) return
    written.current = text
    setSettings(fromQuery(new URLSearchParams(text), declared))
  }, [text, declared])
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = useCallback(
    (next: Settings) => {
      setSettings(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        // While the next page loads, this one is hidden but still mounted, and the address is no longer its own.
        const { page, rest } = parsePlace(window.location.hash)
        if (page !== 'certificates') return
        const link = linkTo(page, rest, toQuery(next, declared))
        written.current = link.split('?', 2)[1] ?? ''
        window.history.replaceState(null, '', link)
      }, ADDRESS_DELAY_MS)
    },
    [declared],
  )
  return [settings, change]
}

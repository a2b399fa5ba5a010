import type { DebateView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError } from '../../api/client.ts'
import { linkTo } from '../../app/router.ts'
import { readingOf } from '../../parts/belief-text.ts'
import { Claim } from '../../parts/claim.tsx'
import { DataBlock, DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { OutcomeMark } from '../../parts/outcome-mark.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { TEXT } from '../../text/english.ts'
import { AnswersByRound } from './answers-by-round.tsx'
import { Compared } from './compared.tsx'
import { useDebate } from './debates-queries.ts'
import { outcomeOf } from './decision-mark.tsx'
import { Words } from './decision-sentence.tsx'
import { Evidence } from './evidence.tsx'
import { Transcript } from './transcript.tsx'

interface DebatePageProps {
  readonly runId: string
  readonly questionId: string
}

/** One debate with all that led to its decision. */
export function DebatePage({ runId, questionId }: DebatePageProps) {
  const debate = useDebate(runId, questionId)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])
  const isMissing = debate.error instanceof ApiError && debate.error.status === 404
  return (
    <article className="debate">
      <div className="head">
        <h1 ref={heading} tabIndex={-1}>
          <DataText text={questionId} />
        </h1>
        <div className="tools">
          <a href={linkTo('debates')}>{TEXT.debate.back}</a>
        </div>
      </div>
      <div className="body">
        {debate.data === undefined ? (
          isMissing ? (
            <p className="blank">{TEXT.debate.missing}</p>
          ) : debate.isError ? (
            <Failure error={debate.error} again={() => void debate.refetch()} />
          ) : (
            <Loading what={TEXT.debate.what} />
          )
        ) : (
          <Shown view={debate.data} />
        )}
      </div>
    </article>
  )
}

function Shown({ view }: { readonly view: DebateView }) {
  return (
    <>
      <div className="debate-head">
        <div>
          {view.question === null ? (
            <p className="blank">{TEXT.debates.redacted}</p>
          ) : (
            <DataBlock text={view.question} className="question" />
          )}
          <Options view={view} />
          <LabelLine view={view} />
          <DecisionSentence view={view} />
        </div>
        <DebateFacts view={view} />
      </div>
      {view.isHidden ? null : <Course view={view} />}
      {view.claim.length === 0 || view.reason === 'budget-infeasible' ? null : (
        <section>
          <h2>{TEXT.debate.claim}</h2>
          <Claim sentences={view.claim} />
        </section>
      )}
    </>
  )
}

/** All that a blind reviewer must not see yet. */
function Course({ view }: { readonly view: DebateView }) {
  return (
    <>
      <Evidence view={view} />
      <AnswersByRound view={view} />
      <Transcript view={view} />
      <Compared view={view} />
    </>
  )
}

/** Who said what is right: a person, an import, or the question itself. */
function LabelLine({ view: { label, gold, isHidden } }: { readonly view: DebateView }) {
  if (isHidden || (label === null && gold === null)) return null
  if (label === null) {
    return (
      <p className="soft">
        <DataText text={gold ?? ''} /> {TEXT.debate.isRight}: {TEXT.debate.goldCame}
      </p>
    )
  }
  return (
    <p className="soft">
      {label.gold === null ? TEXT.debate.noneRight : <DataText text={label.gold} />}
      {label.gold === null ? null : ` ${TEXT.debate.isRight}`}: {TEXT.debate.saidBy}{' '}
      {label.by === null ? TEXT.debate.somebody : <DataText text={label.by} />}, <Moment at={label.at} />,{' '}
      {TEXT.debate.labelSources[label.source]}
    </p>
  )
}

function Options({ view: { options, answer, gold } }: { readonly view: DebateView }) {
  return (
    <ul className="options" aria-label={TEXT.debate.options}>
      {options.map(({ name, text }) => (
        <li key={name}>
          <strong>
            <DataText text={name} />
          </strong>{' '}
          {text === null || text === name ? null : <DataText text={text} />}{' '}
          {name === answer ? <span className="tag">{TEXT.debate.isAnswer}</span> : null}{' '}
          {name === gold ? <span className="tag">✓ {TEXT.debate.isGold}</span> : null}
        </li>
      ))}
    </ul>
  )
}

function DebateFacts({ view }: { readonly view: DebateView }) {
  const { certificate, ledger, isHidden } = view
  const reading = readingOf(view.turns)
  return (
    <dl className="debate-facts" aria-label={TEXT.debate.facts}>
      <Fact name={TEXT.debate.at}>
        <Moment at={view.at} />
      </Fact>
      <Fact name={TEXT.debate.group}>{view.group === null ? '–' : <DataText text={view.group} />}</Fact>
      <Fact name={TEXT.debate.status}>
        {view.status === null ? TEXT.debate.hiddenFact : TEXT.debates.statuses[view.status]}
      </Fact>
      <Fact name={TEXT.debate.spotCheck}>
        {view.isSpotCheck === null
          ? isHidden
            ? TEXT.debate.hiddenFact
            : '–'
          : TEXT.parts[view.isSpotCheck ? 'yes' : 'no']}
      </Fact>
      {reading === null ? null : <Fact name={TEXT.debate.beliefs}>{TEXT.debate.readings[reading]}</Fact>}
      <Fact name={TEXT.debate.certificate}>
        {certificate === null ? (
          TEXT.debate.noCertificate
        ) : (
          <a href={linkTo('certificates', [certificate])}>
            <DataText text={certificate.slice(0, 6)} />
          </a>
        )}
      </Fact>
      <Fact name={TEXT.debate.ledger}>
        {ledger === null ? (
          TEXT.debate[isHidden ? 'hiddenFact' : 'noLedger']
        ) : (
          <>
            {TEXT.debate.ledgerPlace(countText(ledger.sequence))}{' '}
            <code title={ledger.hash}>
              <DataText text={ledger.hash.slice(0, 12)} />
            </code>
          </>
        )}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The decision in words, with the numbers that made it. */
function DecisionSentence({ view }: { readonly view: DebateView }) {
  const outcome = outcomeOf(view)
  return (
    <p className={`decision-sentence is-${outcome ?? 'open'}`}>
      {outcome === null ? null : <OutcomeMark outcome={outcome} />} <Words view={view} />
    </p>
  )
}

import type { DebateView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError } from '../../api/client.ts'
import { linkTo } from '../../app/router.ts'
import { readingOf } from '../../parts/belief-text.ts'
import { Claim } from '../../parts/claim.tsx'
import { DataBlock, DataText } from '../../parts/data-text.tsx'
import { OutcomeMark } from '../../parts/mark.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { AnswersByRound } from './answers-by-round.tsx'
import { Compared } from './compared.tsx'
import { STATUS_NAMES } from './debate-filter.tsx'
import { useDebate } from './debates-queries.ts'
import { outcomeOf } from './decision-mark.tsx'
import { Words } from './decision-sentence.tsx'
import { Evidence } from './evidence.tsx'
import { Transcript } from './transcript.tsx'

const WORDS = {
  labelSources: {
    import: 'imported.',
    deferral: 'in the review of a deferral.',
    'spot-check': 'in the review of a spot check.',
    request: 'in a review that a person asked for.',
  },
  readings: {
    samples: 'counted over several answers of each agent',
    given: 'probabilities of the options: the model’s tokens, or as sent',
    stated: 'stated by each agent in words',
    vote: 'votes alone',
  },
  ledgerPlace: (sequence: string) => `line ${sequence}`,
} as const

/** One debate with everything that led to its decision. */
export function DebatePage({ runId, questionId }: { readonly runId: string; readonly questionId: string }) {
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
          <a href={linkTo('debates')}>All debates</a>
        </div>
      </div>
      <div className="body">
        {debate.data === undefined ? (
          isMissing ? (
            <p className="blank">There is no such debate</p>
          ) : debate.isError ? (
            <Failure error={debate.error} again={() => void debate.refetch()} />
          ) : (
            <Loading what="the debate" />
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
            <p className="blank">text redacted or not known</p>
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
          <h2>What is promised</h2>
          <Claim sentences={view.claim} />
        </section>
      )}
    </>
  )
}

/** The parts that a blind reviewer must not see yet. */
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

/** The label and its source: a person, an import, or the question itself. */
function LabelLine({ view }: { readonly view: DebateView }) {
  const { label, gold, goldText, openAnswers, isHidden } = view
  if (isHidden || (label === null && gold === null && goldText === undefined)) return null
  if (label === null) {
    return (
      <p className="soft">
        <DataText text={goldText ?? gold ?? ''} /> is right: that came with the question.
      </p>
    )
  }
  const right = goldText ?? label.text ?? (openAnswers === undefined ? label.gold : null)
  return (
    <p className="soft">
      {label.gold === null ? (
        'No option was called right'
      ) : right === null ? (
        'None of the panel’s answers is right'
      ) : (
        <>
          <DataText text={right} /> is right
        </>
      )}
      : labelled by {label.by === null ? 'an unnamed reviewer' : <DataText text={label.by} />}, <Moment at={label.at} />
      , {WORDS.labelSources[label.source]}
    </p>
  )
}

function Options({ view: { options, openAnswers, answer, gold } }: { readonly view: DebateView }) {
  if (options.length === 0) return null
  return (
    <ul className="options" aria-label={openAnswers === undefined ? 'Options' : 'Answers of the panel'}>
      {options.map(({ name, text }) => (
        <li key={name}>
          <strong>
            <DataText text={openAnswers === undefined ? name : (text ?? name)} />
          </strong>{' '}
          {openAnswers !== undefined || text === null || text === name ? null : <DataText text={text} />}{' '}
          {name === answer ? <span className="tag">panel’s answer</span> : null}{' '}
          {name === gold ? <span className="tag">✓ right, as far as is known</span> : null}
        </li>
      ))}
    </ul>
  )
}

function DebateFacts({ view }: { readonly view: DebateView }) {
  const { certificate, ledger, isHidden } = view
  const reading = readingOf(view.turns)
  return (
    <dl className="debate-facts" aria-label="Facts">
      <Fact name="Time">
        <Moment at={view.at} />
      </Fact>
      <Fact name="Group">{view.group === null ? '–' : <DataText text={view.group} />}</Fact>
      <Fact name="Debate">{view.status === null ? 'hidden' : STATUS_NAMES[view.status]}</Fact>
      <Fact name="Sampled for a spot check">
        {view.isSpotCheck === null ? (isHidden ? 'hidden' : '–') : view.isSpotCheck ? 'yes' : 'no'}
      </Fact>
      {reading === null ? null : <Fact name="How sure they were">{WORDS.readings[reading]}</Fact>}
      <Fact name="Certificate">
        {certificate === null ? (
          'none'
        ) : (
          <a href={linkTo('certificates', [certificate])}>
            <DataText text={certificate.slice(0, 6)} />
          </a>
        )}
      </Fact>
      <Fact name="Place in the ledger">
        {ledger === null ? (
          isHidden ? (
            'hidden'
          ) : (
            'not in the ledger'
          )
        ) : (
          <>
            {WORDS.ledgerPlace(countText(ledger.sequence))}{' '}
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

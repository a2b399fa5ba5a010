import './review-form.css'
import type { ReviewItem, ReviewOutcome } from 'quorate/contract'
import { type RefObject, useId, useState } from 'react'
import { DataBlock, DataText } from '../../parts/data-text.tsx'
import { FormActions } from './form-actions.tsx'
import { LabelSearch } from './label-search.tsx'
import { OpenOutcomes } from './open-outcomes.tsx'
import { labelsWith, optionKeys, SHORT_LIST } from './option-keys.ts'
import { OutcomeText } from './outcome-text.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import { claimLeft } from './session/keep-claim.ts'
import { ANSWER_ID, gradeId, isComplete, isSameOutcome, NOTE_ID, outcomeId } from './session/outcomes.ts'
import type { Claim, Work } from './session/review-state.ts'
import { reviewSession, useNow, useServerAhead } from './session/use-review-session.ts'

const WORDS = QUEUE_TEXT

export interface ReviewFormProps {
  readonly claim: Claim
  readonly work: Work | null
  readonly hasKeys: boolean
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly onSubmit: () => void
}

/** The current item: the question, the possible outcomes, and a field for a note. */
export function ReviewForm({ claim, work, hasKeys, heading, onSubmit }: ReviewFormProps) {
  const { item, draft } = claim
  const id = useId()
  return (
    <form
      className="review"
      aria-labelledby={`${id}-heading`}
      onSubmit={(event) => {
        event.preventDefault()
        // Nothing is chosen yet, so show where to choose.
        if (!isComplete(item, draft.outcome) && !claim.isExpired) focusFirst()
        else onSubmit()
      }}
    >
      <header className="item-head">
        <h1 ref={heading} id={`${id}-heading`} tabIndex={-1} aria-describedby={`${id}-question`}>
          {WORDS.question}
          {item.isBlind ? <span className="blind-mark">{WORDS.blind}</span> : null}
        </h1>
        <ItemFacts item={item} />
        <ClaimLeft claim={claim} />
      </header>
      <Question id={`${id}-question`} labelledBy={`${id}-heading`} question={item.question} />
      <Outcomes item={item} chosen={draft.outcome} hasKeys={hasKeys} />
      <div className="item-note">
        <label htmlFor={NOTE_ID}>{WORDS.note}</label>
        <textarea
          id={NOTE_ID}
          rows={2}
          maxLength={5000}
          value={draft.note}
          onChange={(event) => reviewSession.write(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') heading.current?.focus({ preventScroll: true })
          }}
        />
      </div>
      <FormActions claim={claim} work={work} hasKeys={hasKeys} />
    </form>
  )
}

function ItemFacts({ item }: { readonly item: ReviewItem }) {
  const age = useNow(30_000) + useServerAhead() - item.createdAt
  return (
    <dl className="item-facts">
      <div>
        <dt>{WORDS.group}</dt>
        <dd>{item.group === null ? <span className="soft">{WORDS.noGroup}</span> : <DataText text={item.group} />}</dd>
      </div>
      <div>
        <dt>{WORDS.waitsFor}</dt>
        <dd>
          <time dateTime={new Date(item.createdAt).toISOString()} title={new Date(item.createdAt).toLocaleString()}>
            {WORDS.age(age)}
          </time>
        </dd>
      </div>
    </dl>
  )
}

/** The height is fixed, so that the options never move. A long question scrolls. */
function Question({
  id,
  labelledBy,
  question,
}: {
  readonly id: string
  readonly labelledBy: string
  readonly question: string | null
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className="asked" tabIndex={0} aria-labelledby={labelledBy}>
      <div id={id}>
        {question === null ? <p className="soft">{WORDS.noQuestion}</p> : <DataBlock text={question} />}
      </div>
    </section>
  )
}

/** Focuses the first input: an answer of the panel, the field, or the first label. */
function focusFirst(): void {
  const ids = [gradeId(0, 0), ANSWER_ID, outcomeId(0)]
  ids
    .map((id) => document.getElementById(id))
    .find((element) => element !== null)
    ?.focus()
}

function Outcomes({
  item,
  chosen,
  hasKeys,
}: {
  readonly item: ReviewItem
  readonly chosen: ReviewOutcome | null
  readonly hasKeys: boolean
}) {
  const { options } = item
  const isLong = options.length > SHORT_LIST
  const [words, setWords] = useState('')
  const found = labelsWith(options, words)
  const keys = optionKeys(options.map(({ name }) => name))
  const choice = (outcome: ReviewOutcome, index: number, keyText: string | null) => ({
    id: outcomeId(index),
    outcome,
    isChosen: isSameOutcome(chosen, outcome),
    keyText: hasKeys ? keyText : null,
    onChoose: () => reviewSession.choose(outcome),
  })
  return (
    <fieldset className="outcomes">
      <legend>{item.asks.kind === 'grades' ? WORDS.isRight : WORDS.outcome}</legend>
      <OpenOutcomes item={item} chosen={chosen} hasKeys={hasKeys} />
      {isLong ? <LabelSearch words={words} setWords={setWords} found={found} hasKeys={hasKeys} /> : null}
      {item.asks.kind === 'option' ? (
        <div
          className={`option-list ${isLong ? 'is-long' : ''}`}
          data-rows={Math.min(5, Math.ceil(options.length / 2))}
        >
          {found.map(({ option: { name, text }, index }) => (
            <OutcomeChoice
              key={name}
              {...choice({ kind: 'option', option: name }, index, keys[index] ?? null)}
              text={text}
            />
          ))}
        </div>
      ) : null}
      <div className="other-outcomes">
        <OutcomeChoice {...choice({ kind: 'cannot-tell' }, options.length, 'C')} text={null} />
        <OutcomeChoice {...choice({ kind: 'bad-question' }, options.length + 1, 'B')} text={null} />
      </div>
    </fieldset>
  )
}

/** Counts down. Screen readers do not announce every second. */
function ClaimLeft({ claim }: { readonly claim: Claim }) {
  const left = claimLeft(claim, useNow(1000) + useServerAhead())
  return (
    <p className={`time-left ${claim.isExpired ? 'over' : ''}`} title={QUEUE_TEXT.claimTitle}>
      {QUEUE_TEXT.claim}{' '}
      <span role="timer" aria-live="off">
        {left === null ? QUEUE_TEXT.claimNone : QUEUE_TEXT.minutes(claim.isExpired ? 0 : left)}
      </span>
    </p>
  )
}

interface OutcomeChoiceProps {
  readonly id: string
  readonly outcome: ReviewOutcome
  /** The text of the option, beside its name. */
  readonly text: string | null
  readonly isChosen: boolean
  /** Null if it has no key, or if keys are off. */
  readonly keyText: string | null
  readonly onChoose: () => void
}

/** A native radio button whose whole row can be clicked. */
function OutcomeChoice({ id, outcome, text, isChosen, keyText, onChoose }: OutcomeChoiceProps) {
  return (
    <label className={`choice ${isChosen ? 'chosen' : ''}`} htmlFor={id}>
      <input
        type="radio"
        id={id}
        name="outcome"
        checked={isChosen}
        onChange={onChoose}
        aria-keyshortcuts={keyText ?? undefined}
      />
      {keyText === null ? null : (
        <span className="key" aria-hidden="true">
          <kbd>{keyText}</kbd>
        </span>
      )}
      <span className="choice-text">
        <span className="choice-name">
          <OutcomeText outcome={outcome} />
        </span>
        {text === null ? null : <DataBlock text={text} />}
      </span>
    </label>
  )
}

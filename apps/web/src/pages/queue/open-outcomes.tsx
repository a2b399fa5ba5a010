import './open-outcomes.css'
import type { ReviewItem, ReviewOutcome } from 'quorate/contract'
import { useId } from 'react'
import { DataBlock, DataText } from '../../parts/data-text.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import { ANSWER_ID, GRADES, graded, gradeId, gradeOf } from './session/outcomes.ts'
import { reviewSession } from './session/use-review-session.ts'

const WORDS = QUEUE_TEXT

interface OpenOutcomesProps {
  readonly item: ReviewItem
  readonly chosen: ReviewOutcome | null
  readonly hasKeys: boolean
}

/** The form of an open question: a field if the item is blind, else each answer of the panel with yes, no and cannot tell. */
export function OpenOutcomes({ item, chosen, hasKeys }: OpenOutcomesProps) {
  const { asks } = item
  if (asks.kind === 'option') return null
  if (asks.kind === 'answer')
    return <AnswerField label={WORDS.typeAnswer} form={asks.form} chosen={chosen} hasKeys={hasKeys} />
  return (
    <div className="open-outcomes">
      {asks.candidates.length === 0 ? <p className="soft">{WORDS.noCandidates}</p> : null}
      <ul className="candidates">
        {asks.candidates.map((candidate, index) => (
          <Candidate
            key={candidate.id}
            candidate={candidate}
            index={index}
            item={item}
            chosen={chosen}
            hasKeys={hasKeys}
          />
        ))}
      </ul>
      {asks.form === null ? null : (
        <AnswerField label={WORDS.typeInstead} form={asks.form} chosen={chosen} hasKeys={hasKeys} />
      )}
    </div>
  )
}

interface AnswerFieldProps {
  readonly label: string
  /** Describes the expected form of the answer. */
  readonly form: string
  readonly chosen: ReviewOutcome | null
  readonly hasKeys: boolean
}

function AnswerField({ label, form, chosen, hasKeys }: AnswerFieldProps) {
  const id = useId()
  return (
    <div className="typed-answer">
      <label htmlFor={ANSWER_ID}>
        {label} {hasKeys ? <kbd>T</kbd> : null}
      </label>
      <input
        id={ANSWER_ID}
        type="text"
        autoComplete="off"
        maxLength={5000}
        aria-describedby={id}
        value={chosen?.kind === 'answer' ? chosen.text : ''}
        onChange={({ target }) => reviewSession.choose({ kind: 'answer', text: target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <p id={id} className="soft">
        {WORDS.answerForm} <DataText text={form} />
      </p>
    </div>
  )
}

interface CandidateProps extends OpenOutcomesProps {
  readonly candidate: { readonly id: string; readonly text: string; readonly alsoSaid: readonly string[] }
  readonly index: number
}

function Candidate({ candidate: { id, text, alsoSaid }, index, item, chosen, hasKeys }: CandidateProps) {
  const own = gradeOf(chosen, id)
  return (
    <li className="candidate">
      <fieldset>
        <legend>
          <span className="hidden">{WORDS.isRight}</span> <DataBlock text={text} />
        </legend>
        {alsoSaid.length === 0 ? null : (
          <p className="soft also-said">
            {WORDS.alsoSaid} <DataText text={alsoSaid.join(' | ')} />
          </p>
        )}
        <div className="grades">
          {GRADES.map(({ name, right }, at) => (
            <label key={name} className={`choice ${own === right ? 'chosen' : ''}`} htmlFor={gradeId(index, at)}>
              <input
                type="radio"
                id={gradeId(index, at)}
                name={`grade-${id}`}
                checked={own === right}
                onChange={() => reviewSession.choose(graded(item, chosen, { answer: id, right }))}
                aria-keyshortcuts={hasKeys ? String(at + 1) : undefined}
              />
              {hasKeys ? (
                <span className="key" aria-hidden="true">
                  <kbd>{at + 1}</kbd>
                </span>
              ) : null}
              <span className="choice-name">{WORDS.grades[name]}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </li>
  )
}

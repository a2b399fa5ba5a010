import type { DebateView, ReviewItem } from 'quorate/contract'
import { deferText } from 'quorate/record'
import { useEffect, useId, useState } from 'react'
import { isKeyIgnored } from '../../app/keys.tsx'
import { linkTo } from '../../app/router.ts'
import { argumentText } from '../../parts/argument-text.ts'
import { beliefText } from '../../parts/belief-text.ts'
import { DataBlock, DataText } from '../../parts/data-text.tsx'
import { OutcomeMark } from '../../parts/mark.tsx'
import { type AnswerSide, sidesOf, type Turn } from '../debates/answer-sides.ts'
import { AnswersByRound } from '../debates/answers-by-round.tsx'
import { RoundScores } from '../debates/round-scores.tsx'
import { answerName, panelAnswer } from './outcome-text.tsx'
import { QUEUE_TEXT } from './queue-words.ts'
import './evidence.css'

const WORDS = QUEUE_TEXT

/** What the panel did, for a reviewer who may see it. */
export function Evidence({ item }: { readonly item: ReviewItem }) {
  const { evidence } = item
  if (evidence === null) return <p className="soft">{WORDS.noEvidence}</p>
  const { verdict } = evidence
  return (
    <>
      <WhyHere item={item} evidence={evidence} />
      {verdict === null ? null : (
        <section>
          <h3>{WORDS.bound}</h3>
          <RoundScores view={evidence} />
        </section>
      )}
      <AnswersByRound view={evidence} />
      {evidence.turns.length === 0 ? null : <Arguments key={item.id} evidence={evidence} />}
      <p className="to-debate">
        <a href={linkTo('debates', [evidence.runId, evidence.questionId])}>{WORDS.toDebate}</a>
      </p>
    </>
  )
}

function WhyHere({ item, evidence }: { readonly item: ReviewItem; readonly evidence: DebateView }) {
  const { source, reason } = item
  const answer = panelAnswer(evidence)
  return (
    <p className="why-here">
      <OutcomeMark outcome={evidence.kind === 'act' ? 'act' : 'defer'} />{' '}
      <strong>{source === null ? WORDS.here : WORDS.source[source]}</strong>
      {reason === null ? null : (
        <>
          : <DataText text={deferText(reason)} />
        </>
      )}
      .{' '}
      {answer === null ? (
        WORDS.panelSilentHere
      ) : (
        <>
          {WORDS.leaned}{' '}
          <strong>
            <DataText text={answerName(evidence, answer)} />
          </strong>
          .
        </>
      )}
    </p>
  )
}

/** Columns of equal width in the order of the options, so that a minority has as much space as the majority. */
function Arguments({ evidence }: { readonly evidence: DebateView }) {
  const { turns, options } = evidence
  const id = useId()
  const [shown, setShown] = useState(turns.length)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isKeyIgnored(event) || (event.key !== '[' && event.key !== ']')) return
      event.preventDefault()
      setShown((before) => Math.max(1, Math.min(turns.length, before + (event.key === ']' ? 1 : -1))))
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [turns.length])
  const round = turns[shown - 1] ?? []
  const groups = sidesInOrder(
    round,
    options.map(({ name }) => name),
  )
  return (
    <section>
      <div className="arguments-head">
        <h3>{WORDS.arguments}</h3>
        <label htmlFor={id} className="hidden">
          {WORDS.roundChoice}
        </label>
        <select id={id} value={shown} onChange={(event) => setShown(Number(event.target.value))}>
          {turns.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a round is identified by its index
            <option key={index} value={index + 1}>
              {WORDS.round(index + 1, turns.length)}
            </option>
          ))}
        </select>
      </div>
      <div className="argument-columns">
        {groups.map(({ answer, turns: own }) => (
          <section key={answer ?? ''} className="argument">
            <h4>
              {answer === null ? WORDS.abstained : <DataText text={answerName(evidence, answer)} />}{' '}
              <span className="interval">{WORDS.agents(own.length, round.length)}</span>
            </h4>
            {own.map((turn, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two agents may have one name; turns never move
              <AgentArgument key={index} turn={turn} />
            ))}
          </section>
        ))}
      </div>
    </section>
  )
}

function AgentArgument({ turn }: { readonly turn: Turn }) {
  const { agent, text } = turn
  const belief = beliefText(turn)
  return (
    <div className="voice">
      <p className="speaker">
        <DataText text={agent} />
        {belief === null ? null : <span className="interval"> {belief}</span>}
      </p>
      {text === null ? <p className="soft">{WORDS.noText}</p> : <DataBlock text={argumentText(text)} />}
    </div>
  )
}

/** In the order of the options, so that the position does not show how many agents agree. No answer comes last. */
function sidesInOrder(round: readonly Turn[], options: readonly string[]): readonly AnswerSide[] {
  const position = ({ answer }: AnswerSide) => {
    if (answer === null) return options.length + 1
    const index = options.indexOf(answer)
    return index < 0 ? options.length : index
  }
  return sidesOf(round).toSorted((left, right) => position(left) - position(right))
}

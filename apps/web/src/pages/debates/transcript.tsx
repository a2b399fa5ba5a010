import type { DebateView } from 'quorate/contract'
import { comparedText } from 'quorate/figures'
import { useState } from 'react'
import { argumentText } from '../../parts/argument-text.ts'
import { beliefText } from '../../parts/belief-text.ts'
import { DataBlock, DataText } from '../../parts/data-text.tsx'
import { answerName } from '../queue/outcome-text.tsx'
import { type AnswerSide, sidesOf, type Turn } from './answer-sides.ts'

const WORDS = {
  roundTitle: (round: number) => `Round ${round}`,
  unanimous: (agents: number) => `all ${agents} agree`,
  split: (counts: string) => `split ${counts}`,
  boundOf: (bound: string, threshold: string) => `bound ${bound}, threshold ${threshold}`,
  agents: (count: number, of: number) => `${count} of ${of} agents`,
} as const

/** The arguments, round by round. Answers are side by side, each with the same space. */
export function Transcript({ view }: { readonly view: DebateView }) {
  return (
    <section>
      <h2>Transcript</h2>
      {view.turns.length === 0 ? (
        <p className="blank">No round of this debate is stored.</p>
      ) : (
        <p className="reading">Side by side by answer: every answer has the same space, however few agents gave it.</p>
      )}
      {view.turns.map((turns, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rounds have no other name and never move
        <Round key={index} round={index + 1} turns={turns} view={view} />
      ))}
    </section>
  )
}

function Round({
  round,
  turns,
  view,
}: {
  readonly round: number
  readonly turns: readonly Turn[]
  readonly view: DebateView
}) {
  const sides = sidesOf(turns)
  const step = view.verdict?.path.find((one) => one.round === round)
  const counts = sides.map((side) => side.turns.length)
  const numbers = step === undefined || step.lower === null ? null : comparedText(step.lower, step.threshold)
  return (
    <section className="round">
      <h3>
        {WORDS.roundTitle(round)}{' '}
        <span className="soft">
          {counts.length === 1 ? WORDS.unanimous(turns.length) : WORDS.split(counts.join(' : '))}
          {numbers === null ? null : ` · ${WORDS.boundOf(...numbers)}`}
        </span>
      </h3>
      <div className="sides">
        {sides.map((side) => (
          <Side key={side.answer ?? ''} side={side} of={turns.length} view={view} panel={step?.answer ?? null} />
        ))}
      </div>
    </section>
  )
}

interface SideProps {
  readonly side: AnswerSide
  readonly of: number
  readonly view: DebateView
  /** The answer of the panel as a whole in this round. */
  readonly panel: string | null
}

function Side({ side: { answer, turns }, of, view, panel }: SideProps) {
  // An open answer is already shown in the words of the agents.
  const text = view.openAnswers === undefined ? (view.options.find(({ name }) => name === answer)?.text ?? null) : null
  return (
    <div className="side">
      <h4>
        {answer === null ? 'No answer' : <DataText text={answerName(view, answer)} />}
        {text === null || text === answer ? null : (
          <>
            {' '}
            <span className="option-text">
              <DataText text={text} />
            </span>
          </>
        )}{' '}
        {answer !== null && answer === panel ? <span className="tag">panel</span> : null}{' '}
        {answer !== null && answer === view.gold ? <span className="tag">✓ right</span> : null}{' '}
        <span className="interval">{WORDS.agents(turns.length, of)}</span>
      </h4>
      {turns.map((turn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two agents may have one name; turns never move
        <TurnText key={index} turn={turn} />
      ))}
    </div>
  )
}

function TurnText({ turn }: { readonly turn: Turn }) {
  const { agent, text } = turn
  const belief = beliefText(turn)
  return (
    <div className="turn">
      <p className="speaker">
        <strong>
          <DataText text={agent} />
        </strong>{' '}
        {belief === null ? null : <span className="interval">{belief}</span>}
      </p>
      {text === null || text === '' ? (
        <p className="soft">no text is stored</p>
      ) : (
        <LongText text={argumentText(text)} />
      )}
    </div>
  )
}

/** Longer arguments are folded, so that one verbose model does not push the others off the page. */
const SHOWN_LETTERS = 900

function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= SHOWN_LETTERS * 1.2) return <DataBlock text={text} />
  return (
    <>
      <DataBlock text={isWhole ? text : `${text.slice(0, SHOWN_LETTERS)} …`} />
      <button type="button" className="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : 'Show all of it'}
      </button>
    </>
  )
}

import type { DebateView } from 'quorate/contract'
import { atLeastText, comparedText, countText } from 'quorate/figures'
import { deferText, neverActs, STEP_WORDS } from 'quorate/record'
import { DataText } from '../../parts/data-text.tsx'
import { Term } from '../../parts/term.tsx'
import { answerName } from '../queue/outcome-text.tsx'

const WORDS = {
  acts: (round: number) => `Acts in round ${round} with`,
  actsBecause: (bound: string, threshold: string) => `the bound ${bound} reaches the threshold ${threshold}.`,
  bestBound: (rounds: string, bound: string, threshold: string) =>
    `best bound in ${rounds} ${bound}, threshold ${threshold}.`,
  roundsText: (rounds: number) => (rounds === 1 ? '1 round' : `${rounds} rounds`),
} as const

/** The decision in words, with the numbers that made it. */
export function Words({ view }: { readonly view: DebateView }) {
  const { kind, answer, reason, verdict, bound, threshold, gold } = view
  const numbers = bound === null || threshold === null ? null : comparedText(bound, threshold)
  const step = judgedStep(view)
  if (step !== null && (kind === 'act' || kind === 'defer')) return <ScoreWords view={view} step={step} />
  if (kind === 'act' && answer !== null) {
    return (
      <>
        {WORDS.acts(verdict?.round ?? view.rounds ?? 0)}{' '}
        <strong>
          <DataText text={answerName(view, answer)} />
        </strong>
        {numbers === null ? '.' : `: ${WORDS.actsBecause(...numbers)}`}{' '}
        {gold === null ? null : gold === answer ? 'The label says it was right.' : 'The label says it was wrong.'}
      </>
    )
  }
  if (kind === 'defer') {
    return (
      <>
        Defers to a person (<DataText text={reason ?? ''} />
        ): {deferText(reason ?? '')}
        {numbers === null ? '.' : `; ${WORDS.bestBound(roundsText(view), ...numbers)}`}
      </>
    )
  }
  if (view.isHidden)
    return 'Answers and decision are hidden while the question is debated or waits for a review that may be blind. They appear when the review can no longer be undone.'
  return verdict?.kind === 'continue'
    ? 'Continues: the threshold is not reached and rounds remain.'
    : 'Nothing was decided.'
}

type Step = NonNullable<DebateView['verdict']>['path'][number]

/** Profile total: the round that acted, or else the round whose score came nearest; null if no score decided. */
function judgedStep({ verdict, scoreRound, reason }: DebateView): Step | null {
  if (verdict === null || verdict.detail !== undefined) return null
  if (reason !== null && reason !== 'bound-low' && reason !== 'class-refused') return null
  const step = verdict.path.find(({ round }) => round === scoreRound)
  return step?.score === undefined || step.cut === undefined ? null : step
}

function ScoreWords({ view, step }: { readonly view: DebateView; readonly step: Step }) {
  const { kind, answer, reason, gold, verdict } = view
  const [score, needs] = comparedText(step.score ?? 0, step.cut ?? 1)
  if (kind === 'act' && answer !== null) {
    return (
      <>
        Acts in round {step.round} with{' '}
        <strong>
          <DataText text={answerName(view, answer)} />
        </strong>
        : the score {score} reaches the <Term name="threshold">threshold</Term> {needs}.{' '}
        {step.neighbours === undefined || step.successes === undefined || step.lower === null
          ? null
          : `Of ${countText(step.neighbours)} labelled debates of its class ${countText(step.successes)} were right, at least ${atLeastText(step.lower)} % of new ones. `}
        {gold === null ? null : gold === answer ? 'The label says it was right.' : 'The label says it was wrong.'}
      </>
    )
  }
  if (reason === 'class-refused') {
    return (
      <>
        Defers to a person. The score reached the <Term name="threshold">threshold</Term> in round {step.round} ({score}{' '}
        ≥ {needs}). But its <Term name="class">class</Term> is refused: {deferText('class-refused')}.
      </>
    )
  }
  return (
    <>
      Defers to a person: {deferText(reason ?? '')}. It came nearest in round {step.round}, score {score} of {needs}.
      {verdict?.path.filter(reachedInVain).map((one) => ` ${vainText(one)}`)}
    </>
  )
}

/** Whether the score reached its threshold in a round that cannot act. */
function reachedInVain({ score, cut, reason }: Step): boolean {
  return neverActs(reason) && score !== undefined && cut !== undefined && score >= cut
}

function vainText({ round, score, cut, reason }: Step): string {
  const [reached, needs] = comparedText(score ?? 0, cut ?? 1)
  const why = reason === undefined ? '' : `: ${STEP_WORDS[reason]}`
  return `Round ${round} reached its threshold (${reached} ≥ ${needs}), but it cannot act${why}.`
}

/** The number of rounds that were assessed, as the command line counts them. */
function roundsText({ verdict, rounds }: DebateView): string {
  return WORDS.roundsText(verdict?.path.length ?? rounds ?? 0)
}

import type { MonitorView } from 'quorate/contract'
import { atLeastText, atMostText, countText, percentText } from 'quorate/figures'
import { dayText, SUSPENDED_BY } from 'quorate/record'
import type { ReactNode } from 'react'
import { DataBlock, DataText } from '../../parts/data-text.tsx'
import { Mark, type MarkName } from '../../parts/mark.tsx'
import { declaredText, ENOUGH } from '../../parts/number-text.ts'
import { Term } from '../../parts/term.tsx'
import { BudgetGauge } from './budget-gauge.tsx'
import { sampledText, type VerdictKind, verdictKind } from './verdict.ts'

const TITLES: Readonly<Record<VerdictKind, readonly [MarkName, string]>> = {
  within: ['right', 'Within budget'],
  few: ['few', 'Not known yet'],
  unsampled: ['none', 'Not known'],
  open: ['none', 'Not shown yet'],
  over: ['wrong', 'Over budget'],
  suspended: ['stopped', 'Suspended'],
  shadow: ['none', 'Shadow'],
  idle: ['none', 'Never acts'],
  none: ['none', 'Not acting'],
}

/** Answers the owner's first question: does the policy keep its promise? */
export function VerdictSection({ view }: { readonly view: MonitorView }) {
  const kind = verdictKind(view)
  const [mark, title] = TITLES[kind]
  const { certificate, spotChecks } = view
  const { wrong, uniform } = spotChecks
  const hasGauge = certificate !== null && wrong !== null && uniform !== null
  return (
    <section className={`verdict ${hasGauge ? '' : 'is-alone'}`} aria-label="Verdict">
      <div>
        <h2>
          <Mark name={mark} isLarge /> {title}
        </h2>
        <div className="words">
          <Words kind={kind} view={view} />
        </div>
      </div>
      {hasGauge ? (
        <BudgetGauge
          beta={certificate.promised}
          wrong={wrong}
          rate={uniform.rate ?? wrong.share}
          lower={uniform.lower}
          upper={uniform.upper}
          level={uniform.level}
        />
      ) : null}
    </section>
  )
}

function Words({ kind, view }: { readonly kind: VerdictKind; readonly view: MonitorView }) {
  const { certificate, spotChecks, policy, classes, hidden } = view
  const { wrong, uniform } = spotChecks
  const now = <strong>{percentText(uniform?.rate ?? wrong?.share ?? 0)} %</strong>
  const beta = <strong>{declaredText(certificate?.promised ?? 0)} %</strong>
  // Both bounds hold together with this level, so each of them does too.
  const confidence = `with ${declaredText(uniform?.level ?? 0)} % confidence`
  const counted = wrong === null ? '' : ` (${countText(wrong.count)} of ${countText(wrong.of)} spot checks)`
  if (kind === 'none') {
    return (
      <p>
        No certificate is active. New questions are refused with 503, so nothing is decided by accident. Runs of the
        command line count without activation.
      </p>
    )
  }
  if (kind === 'shadow') return <Shadow view={view} />
  if (kind === 'suspended') return <Suspended policy={policy} />
  if (kind === 'idle') {
    return <p>The certificate acts on nothing, so no action can be wrong. Everything goes to people.</p>
  }
  if (kind === 'unsampled') {
    return (
      <p>
        No question is chosen for a <Term name="spotCheck">spot check</Term>, so wrong actions cannot be counted.{' '}
        <Term name="beta">Beta</Term> allows {beta}.
      </p>
    )
  }
  if (kind === 'few') {
    const counted = wrong?.of ?? 0
    return (
      <p>
        <strong>{countText(counted)}</strong> of {ENOUGH} <Term name="spotCheck">spot checks</Term> are counted. That is
        too few to say. {sampledText(spotChecks, hidden)}
      </p>
    )
  }
  if (kind === 'open') {
    return (
      <p>
        {now} of all questions were acted on and wrong{counted}, but up to{' '}
        <strong>{atMostText(uniform?.upper ?? 1)} %</strong> is possible ({confidence}, at every moment).{' '}
        <Term name="beta">Beta</Term> allows {beta}.
      </p>
    )
  }
  if (kind === 'over') {
    return (
      <>
        <p>
          At least <strong>{atLeastText(uniform?.lower ?? 0)} %</strong> of all questions are acted on and wrong,{' '}
          {confidence}; {beta} is allowed. {policy.state === 'suspended' ? 'Acting is suspended.' : null}
        </p>
        {policy.reason === null ? null : <Reason text={policy.reason} />}
      </>
    )
  }
  return (
    <p>
      {now} of all questions were acted on and wrong{counted}, at most{' '}
      <strong>{atMostText(uniform?.upper ?? 1)} %</strong> at every moment, {confidence}. <Term name="beta">Beta</Term>{' '}
      allows {beta}. <ClassWords classes={classes} />
    </p>
  )
}

function Suspended({ policy: { since, cause, by, reason } }: { readonly policy: MonitorView['policy'] }) {
  const who: ReactNode = cause === 'admin' && by !== null ? <DataText text={by} /> : SUSPENDED_BY[cause ?? 'admin']
  return (
    <>
      <p>
        {since === null ? null : `Since ${dayText(since)} `}by {who}. Everything goes to people. Reviews and spot checks
        go on, and the figures of every period stay.
      </p>
      {reason === null ? null : <Reason text={reason} />}
    </>
  )
}

/** In shadow everything goes to people, and their labels show how acting would have ended. */
function Shadow({ view: { shadow, policy, certificate } }: { readonly view: MonitorView }) {
  const beta = <strong>{declaredText(certificate?.budget.beta ?? 0)} %</strong>
  const by = policy.by === null ? null : <DataText text={policy.by} />
  return (
    <>
      <p>
        {policy.since === null ? 'It' : `Since ${dayText(policy.since)} it`} decides and records, and sends everything
        to people{by === null ? '' : ', as '}
        {by}
        {by === null ? '' : ' chose'}.{' '}
        {shadow === null || shadow.questions === 0 ? (
          'No question was decided in shadow mode yet.'
        ) : (
          <>
            Of {shadow.isCut ? 'the latest ' : ''}
            {countText(shadow.questions)} questions it would have acted on <strong>{countText(shadow.wouldAct)}</strong>
            . {countText(shadow.labelled)} of these are labelled, <strong>{countText(shadow.wrong)}</strong> of them
            wrong
            {shadow.labelled < ENOUGH ? ', which is too few to say' : ''}. <Term name="beta">Beta</Term> allows {beta}{' '}
            of all questions.
          </>
        )}
      </p>
      {policy.reason === null ? null : <Reason text={policy.reason} />}
    </>
  )
}

function Reason({ text }: { readonly text: string }) {
  return <DataBlock text={text} className="reason" />
}

function ClassWords({ classes }: { readonly classes: MonitorView['classes'] }) {
  const judged = classes.filter(({ right }) => right !== null && right.of >= ENOUGH)
  const [first] = classes
  if (first === undefined) return null
  const floor = (
    <>
      <Term name="floor">floor</Term> of {declaredText(first.floor)} %
    </>
  )
  const below = judged.filter(({ uniform, floor: own }) => uniform !== null && uniform.upper < own)
  if (below.length > 0)
    return (
      <>
        {below.length === 1 ? '1 class is' : `${countText(below.length)} classes are`} below the {floor}.
      </>
    )
  if (judged.length === 0)
    return (
      <>
        No <Term name="class">class</Term> has {ENOUGH} labels yet.
      </>
    )
  const isShown = judged.every(({ right, floor: own }) => right !== null && right.share >= own)
  return isShown ? (
    <>
      Every <Term name="class">class</Term> with enough labels is above its {floor}.
    </>
  ) : (
    <>
      Not every <Term name="class">class</Term> is above its {floor} so far.
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { EvaluationView } from 'quorate/contract'
import { countText, type FrontierPoint, type FrontierPolicy, frontierFigure } from 'quorate/figures'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { request } from '../../api/client.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Figure } from '../../parts/figure.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { Rate } from '../../parts/rate.tsx'
import type { Settings } from './replay/settings.ts'

const WORDS = {
  compareAt: (beta: string) => `Compare at beta ${beta}`,
  frontierLead: (debates: string, splits: string, beta: string) =>
    `Every policy at beta ${beta} on ${debates} labelled debates of the store, mean of ${splits} random halves.`,
  unjudged: (count: string) =>
    `For ${count} the reviewer could not tell what is right, or called the question bad: they count as wrong.`,
  untried: (short: string) =>
    `No policy could be tried on ${short} more that stopped early. The intervals hold for any outcome of these.`,
} as const

interface FrontierProps {
  readonly settings: Settings
  readonly declaredBeta: number
  readonly path: { readonly profile: string; readonly points: readonly FrontierPoint[] } | null
  readonly requestPath: () => void
}

/** Compares our policy with all baselines. It loads when it comes into view, because the server fits every policy for it. */
export function FrontierSection({ settings, declaredBeta, path, requestPath }: FrontierProps) {
  const [frame, isSeen] = useSeen<HTMLElement>()
  const [beta, setBeta] = useState(declaredBeta)
  const evaluation = useQuery({
    queryKey: ['evaluate', beta],
    queryFn: ({ signal }) => request<EvaluationView>(`/v1/evaluate?beta=${beta}`, { signal }),
    enabled: isSeen,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isPathMissing = path?.profile !== settings.profile
  useEffect(() => {
    if (isSeen && isPathMissing) requestPath()
  }, [isSeen, isPathMissing, requestPath])
  const points = path === null || isPathMissing ? [] : path.points
  return (
    <section ref={frame} className="operating-frontier" aria-labelledby="operating-frontier">
      <h2 id="operating-frontier">Beside the baselines</h2>
      <p className="operating-compare">
        {settings.beta === beta ? null : (
          <button type="button" disabled={evaluation.isFetching} onClick={() => setBeta(settings.beta)}>
            {WORDS.compareAt(`${settings.beta}`)}
          </button>
        )}
      </p>
      {evaluation.isError ? (
        <Failure error={evaluation.error} again={() => void evaluation.refetch()} />
      ) : evaluation.data === undefined ? (
        isSeen && <Loading what="the baselines (this can take a minute)" />
      ) : (
        <Compared evaluation={evaluation.data} profile={settings.profile} points={points} />
      )}
    </section>
  )
}

function Compared({
  evaluation,
  profile,
  points,
}: {
  readonly evaluation: EvaluationView
  readonly profile: string
  readonly points: readonly FrontierPoint[]
}) {
  const { policies, debates, splits, beta, unjudged, untried } = evaluation
  const ours = policies.find(({ name, isOurs }) => isOurs && name === profile) ?? policies.find(({ isOurs }) => isOurs)
  const spot = ours === undefined ? null : pointOf(ours)
  if (ours === undefined || spot === null) {
    return (
      <Empty title="There are too few labelled debates to compare policies">
        <p>Import labelled debates, or label spot checks in the review queue.</p>
      </Empty>
    )
  }
  const others = policies.filter((policy) => policy !== ours).flatMap((policy) => pointOf(policy) ?? [])
  return (
    <>
      <p className="soft">
        {WORDS.frontierLead(countText(debates), countText(splits), `${beta}`)}{' '}
        {points.length === 0
          ? ''
          : 'The curve: the labelled debates of this page under other betas, with the usual split.'}{' '}
        {unjudged === 0 ? '' : WORDS.unjudged(countText(unjudged))}{' '}
        {untried.short === 0 ? '' : WORDS.untried(countText(untried.short))}
      </p>
      <Figure minHeight="high" draw={(width) => frontierFigure({ beta, ours: spot, path: points, others }, width)} />
      <PoliciesTable policies={policies} ours={ours.name} />
    </>
  )
}

function pointOf({ name, acted, wrong }: EvaluationView['policies'][number]): FrontierPolicy | null {
  return acted === null || wrong === null ? null : { name, act: acted.share, wrongActions: wrong.share }
}

interface PoliciesProps {
  readonly policies: EvaluationView['policies']
  /** The name of the policy that the figure shows as ours. */
  readonly ours: string
}

function PoliciesTable({ policies, ours }: PoliciesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="scroll" aria-label="Table of all policies" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Policy</th>
            {['Acts on', 'Right when it acts', 'Acts and is wrong', 'Rounds', 'Calls'].map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
            <th scope="col">Standing</th>
          </tr>
        </thead>
        <tbody>
          {policies.map(({ name, title, acted, accuracy, wrong, rounds, calls, standing }) => (
            <tr key={name} className={name === ours ? 'operating-ours' : undefined}>
              <th scope="row">
                {name === ours ? '● ' : ''}
                <DataText text={name} />
                <br />
                <span className="soft">
                  <DataText text={title} />
                </span>
              </th>
              {[acted, accuracy, wrong].map((share, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: three columns that never change places
                <td key={column} className="number">
                  <Rate share={share} why="none" />
                </td>
              ))}
              <td className="number">{rounds === null ? '–' : rounds.toFixed(2)}</td>
              <td className="number">{calls === null ? '–' : calls.toFixed(1)}</td>
              <td>
                <DataText text={standing} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Whether an element has been in view, or near it, since it was rendered. */
function useSeen<Element extends HTMLElement>(): readonly [RefObject<Element | null>, boolean] {
  const frame = useRef<Element>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setSeen(true)
        observer.disconnect()
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [frame, isSeen]
}

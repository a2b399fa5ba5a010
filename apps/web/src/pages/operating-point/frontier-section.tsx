import { useQuery } from '@tanstack/react-query'
import type { EvaluationView } from 'quorate/contract'
import { countText, type FrontierPoint, type FrontierPolicy, frontierFigure } from 'quorate/figures'
import { useEffect, useState } from 'react'
import { ask } from '../../api/client.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Figure } from '../../parts/figure.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { Rate } from '../../parts/rate.tsx'
import { TEXT } from '../../text/english.ts'
import type { Settings } from './replay/settings.ts'
import { useSeen } from './use-seen.ts'

interface FrontierProps {
  readonly settings: Settings
  readonly declaredBeta: number
  readonly path: { readonly profile: string; readonly points: readonly FrontierPoint[] } | null
  readonly askPath: () => void
}

/** Ours among all baselines. Loaded when it comes into view: the server fits every policy for it. */
export function FrontierSection({ settings, declaredBeta, path, askPath }: FrontierProps) {
  const [frame, isSeen] = useSeen<HTMLElement>()
  const [beta, setBeta] = useState(declaredBeta)
  const evaluation = useQuery({
    queryKey: ['evaluate', beta],
    queryFn: ({ signal }) => ask<EvaluationView>(`/v1/evaluate?beta=${beta}`, { signal }),
    enabled: isSeen,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isPathMissing = path?.profile !== settings.profile
  useEffect(() => {
    if (isSeen && isPathMissing) askPath()
  }, [isSeen, isPathMissing, askPath])
  const points = path === null || isPathMissing ? [] : path.points
  return (
    <section ref={frame} className="operating-frontier" aria-labelledby="operating-frontier">
      <h2 id="operating-frontier">{TEXT.operating.frontier}</h2>
      <p className="operating-compare">
        {settings.beta === beta ? null : (
          <button type="button" disabled={evaluation.isFetching} onClick={() => setBeta(settings.beta)}>
            {TEXT.operating.compareAt(`${settings.beta}`)}
          </button>
        )}
      </p>
      {evaluation.isError ? (
        <Failure error={evaluation.error} again={() => void evaluation.refetch()} />
      ) : evaluation.data === undefined ? (
        isSeen && <Loading what={TEXT.operating.frontierData} />
      ) : (
        <Compared evaluation={evaluation.data} profile={settings.profile} points={points} />
      )}
    </section>
  )
}

interface ComparedProps {
  readonly evaluation: EvaluationView
  readonly profile: string
  readonly points: readonly FrontierPoint[]
}

function Compared({ evaluation, profile, points }: ComparedProps) {
  const { policies, debates, splits, beta, untried } = evaluation
  const ours = policies.find(({ name, isOurs }) => isOurs && name === profile) ?? policies.find(({ isOurs }) => isOurs)
  const spot = ours === undefined ? null : pointOf(ours)
  if (ours === undefined || spot === null) {
    return (
      <Empty title={TEXT.operating.frontierEmpty}>
        <p>{TEXT.operating.frontierNext}</p>
      </Empty>
    )
  }
  const others = policies.filter((policy) => policy !== ours).flatMap((policy) => pointOf(policy) ?? [])
  return (
    <>
      <p className="soft">
        {TEXT.operating.frontierLead(countText(debates), countText(splits), `${beta}`)}{' '}
        {points.length === 0 ? '' : TEXT.operating.frontierPath}{' '}
        {untried.undecidable + untried.short === 0
          ? ''
          : TEXT.operating.untried(countText(untried.undecidable), countText(untried.short))}
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
  /** Name of the policy that the figure shows as ours. */
  readonly ours: string
}

function PoliciesTable({ policies, ours }: PoliciesProps) {
  const { columns, none } = TEXT.operating
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="scroll" aria-label={TEXT.operating.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.policy}</th>
            {[columns.acted, columns.right, columns.wrong, columns.rounds, columns.calls].map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
            <th scope="col">{columns.standing}</th>
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
                  <Rate share={share} why={none} />
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

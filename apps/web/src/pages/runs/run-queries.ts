import { useInfiniteQuery } from '@tanstack/react-query'
import type { Page, RunRow } from 'quorate/contract'
import { request } from '../../api/client.ts'
import { moneyText } from '../../parts/number-text.ts'

/** Runs, latest first, page by page. */
export function useRuns(limit: number) {
  return useInfiniteQuery({
    queryKey: ['runs', limit],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === null ? '' : `&cursor=${encodeURIComponent(pageParam)}`
      return request<Page<RunRow>>(`/v1/runs?limit=${limit}${cursor}`, { signal })
    },
    initialPageParam: null as string | null, // later pages have a cursor
    getNextPageParam: ({ next }) => next,
    refetchInterval: 15_000,
  })
}

/** The cost of a run, as a range if the cost of some calls is unknown; null if nothing was paid. */
export function runCost({ costMicroUsd, reservedMicroUsd, unpricedCalls }: RunRow): string | null {
  if (costMicroUsd === null) return null
  if (unpricedCalls > 0) return `${moneyText(costMicroUsd)} or more`
  const most = costMicroUsd + reservedMicroUsd
  return reservedMicroUsd > 0 ? `${moneyText(costMicroUsd)} to ${moneyText(most)}` : moneyText(costMicroUsd)
}

/** A run has no name of its own, so it is called after its source. */
export function runName({ source, kind, postedBy }: RunRow): string {
  if (source === 'api') return 'Questions over HTTP'
  if (source === 'posted') return postedBy === null ? 'Posted debates' : `Debates posted by ${postedBy}`
  return kind === 'decide' ? 'Command line' : 'Debates without decisions'
}

import { useInfiniteQuery } from '@tanstack/react-query'
import type { Page, RunRow } from 'quorate/contract'
import { request } from '../../api/client.ts'
import { moneyText } from '../../parts/number-text.ts'

/** Runs, latest first; a page at a time. */
export function useRuns(limit: number) {
  return useInfiniteQuery({
    queryKey: ['runs', limit],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === null ? '' : `&cursor=${encodeURIComponent(pageParam)}`
      return request<Page<RunRow>>(`/v1/runs?limit=${limit}${cursor}`, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: 15_000,
  })
}

/** The range is that of calls whose cost is not known; null: nothing was paid. */
export function runCost({ costMicroUsd, reservedMicroUsd, unpricedCalls }: RunRow): string | null {
  if (costMicroUsd === null) return null
  if (unpricedCalls > 0) return `${moneyText(costMicroUsd)} or more`
  const most = costMicroUsd + reservedMicroUsd
  return reservedMicroUsd > 0 ? `${moneyText(costMicroUsd)} to ${moneyText(most)}` : moneyText(costMicroUsd)
}

/** What a run is called: nobody gives it a name, so it is where it came from. */
export function runName({ source, kind, postedBy }: RunRow): string {
  if (source === 'api') return 'Questions over HTTP'
  if (source === 'posted') return postedBy === null ? 'Posted debates' : `Debates posted by ${postedBy}`
  return kind === 'decide' ? 'Command line' : 'Debates without decisions'
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { DebateRow, DebateView, Page } from 'quorate/contract'
import { ask } from '../../api/client.ts'

/** What a list can be narrowed by; also the query of its address. */
export const FILTERS = ['kind', 'reason', 'group', 'status', 'id', 'sampled', 'run'] as const
export type Filter = Partial<Readonly<Record<(typeof FILTERS)[number], string>>>

const PAGE_SIZE = 50

export function useDebates(filter: Filter) {
  return useInfiniteQuery({
    queryKey: ['debates', filter],
    queryFn: ({ pageParam, signal }) => ask<Page<DebateRow>>(listPath(filter, pageParam), { signal }),
    initialPageParam: null as string | null, // the type of every later one
    getNextPageParam: (last) => last.next,
    placeholderData: (before) => before,
  })
}

export function useDebate(runId: string, questionId: string) {
  return useQuery({
    queryKey: ['debate', runId, questionId],
    queryFn: ({ signal }) =>
      ask<DebateView>(`/v1/debates/${encodeURIComponent(runId)}/${encodeURIComponent(questionId)}`, { signal }),
  })
}

export function filterOf(query: URLSearchParams): Filter {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = query.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

function listPath(filter: Filter, cursor: string | null): string {
  const query = new URLSearchParams({ ...filter, limit: String(PAGE_SIZE), ...(cursor === null ? {} : { cursor }) })
  return `/v1/debates?${query}`
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { DebateRow, DebateSummary, DebateView, Page } from 'quorate/contract'
import { request } from '../../api/client.ts'

/** The filters of the list, which are also the query of its address. */
export const FILTERS = [
  'q',
  'decided',
  'kind',
  'outcome',
  'reason',
  'group',
  'status',
  'id',
  'sampled',
  'run',
  'from',
  'to',
] as const
export type FilterName = (typeof FILTERS)[number]
export type Filter = Partial<Readonly<Record<FilterName, string>>>

const PAGE_SIZE = 50

export function useDebates(filter: Filter) {
  return useInfiniteQuery({
    queryKey: ['debates', filter],
    queryFn: ({ pageParam, signal }) => request<Page<DebateRow>>(listPath(filter, pageParam), { signal }),
    initialPageParam: null as string | null, // later pages have a cursor
    getNextPageParam: (last) => last.next,
    placeholderData: (before) => before,
  })
}

/** Counts over the latest debates that a filter finds. While it finds no answer, they can be requested every so often. */
export function useSummary(filter: Filter, whileEmptyMs: number | false = false) {
  return useQuery({
    queryKey: ['debate-summary', filter],
    queryFn: ({ signal }) =>
      request<DebateSummary>(`/v1/debate-summary?${new URLSearchParams(sentFilter(filter))}`, { signal }),
    staleTime: 30_000,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.data?.answers.rows === 0 ? whileEmptyMs : false),
  })
}

export function useDebate(runId: string, questionId: string) {
  return useQuery({
    queryKey: ['debate', runId, questionId],
    queryFn: ({ signal }) =>
      request<DebateView>(`/v1/debates/${encodeURIComponent(runId)}/${encodeURIComponent(questionId)}`, { signal }),
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

/** Whether two filters have the same parts, in any order. */
export function isSameFilter(left: Filter, right: Filter): boolean {
  return FILTERS.every((name) => left[name] === right[name])
}

/** The same filter with one part changed; an empty part is left out. */
export function changed(filter: Filter, name: FilterName, value: string): Record<string, string> {
  const { [name]: _, ...rest } = filter
  return value.trim() === '' ? rest : { ...rest, [name]: value.trim() }
}

/**
 * The filter as it is sent. Debates without a decision, which only calibrate or compare, are left out unless the filter names
 * them or their run.
 */
export function sentFilter(filter: Filter): Filter {
  return filter.run === undefined && filter.decided === undefined ? { ...filter, decided: 'true' } : filter
}

function listPath(filter: Filter, cursor: string | null): string {
  const query = new URLSearchParams({
    ...sentFilter(filter),
    limit: String(PAGE_SIZE),
    ...(cursor === null ? {} : { cursor }),
  })
  return `/v1/debates?${query}`
}

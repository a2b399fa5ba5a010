import { QueryClient, useQuery } from '@tanstack/react-query'
import type { MonitorView, SessionView } from 'quorate/contract'
import { ApiError, request } from './client.ts'

/** Retries only failures that may pass. A refusal (4xx) would be the same again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      refetchOnWindowFocus: true,
    },
  },
})

export function useSession() {
  return useQuery({ queryKey: ['session'], queryFn: ({ signal }) => request<SessionView>('/v1/session', { signal }) })
}

export function useMonitor() {
  return useQuery({
    queryKey: ['monitor'],
    queryFn: ({ signal }) => request<MonitorView>('/v1/monitor', { signal }),
    refetchInterval: 10_000,
  })
}

import { QueryClient, useQuery } from '@tanstack/react-query'
import type { MonitorView, SessionView, SettingsView, TokenRow } from 'quorate/contract'
import { ApiError, request } from './client.ts'

const STALE_MS = 5_000

/** Retries only failures that may pass. A refusal (4xx) would be the same again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
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

export function useSettings(staleTime = STALE_MS) {
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => request<SettingsView>('/v1/settings', { signal }),
    staleTime,
  })
}

/** Only an admin may list tokens. */
export function useTokens(isAdmin: boolean) {
  return useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => request<{ readonly items: readonly TokenRow[] }>('/v1/tokens', { signal }),
    enabled: isAdmin,
  })
}

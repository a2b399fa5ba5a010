import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CertificateRow, CertificateView, Page } from 'quorate/contract'
import { request } from '../../api/client.ts'

export function useCertificates() {
  return useInfiniteQuery({
    queryKey: ['certificates'],
    queryFn: ({ pageParam, signal }) =>
      request<Page<CertificateRow>>(
        `/v1/certificates?limit=50${pageParam === null ? '' : `&cursor=${encodeURIComponent(pageParam)}`}`,
        { signal },
      ),
    initialPageParam: null as string | null, // later pages have a cursor
    getNextPageParam: (last) => last.next,
  })
}

export function useCertificate(id: string) {
  return useQuery({
    queryKey: ['certificate', id],
    queryFn: ({ signal }) => request<CertificateView>(`/v1/certificates/${encodeURIComponent(id)}`, { signal }),
  })
}

export type ActivationMode = 'act' | 'shadow'

/** Refetches everything afterwards, because every page depends on the active certificate. */
export function useActivate(id: string) {
  const queries = useQueryClient()
  return async (note: string, mode: ActivationMode) => {
    const path = `/v1/certificates/${encodeURIComponent(id)}/activate`
    await request<CertificateView>(path, { method: 'POST', body: { note, mode } })
    await queries.invalidateQueries()
  }
}

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
    initialPageParam: null as string | null, // the type of every later one
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

/** Every page shows what the active certificate decides: all of them are asked anew. */
export function useActivate(id: string) {
  const queries = useQueryClient()
  return async (note: string, mode: ActivationMode) => {
    const path = `/v1/certificates/${encodeURIComponent(id)}/activate`
    await request<CertificateView>(path, { method: 'POST', body: { note, mode } })
    await queries.invalidateQueries()
  }
}

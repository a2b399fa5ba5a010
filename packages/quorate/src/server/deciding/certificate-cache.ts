import { budgetSentences, type FirstRoundScores, firstRoundScores } from '@quorate/certificate'
import { type Certified, openCertified } from '../../run/calibration/certified.ts'
import type { Store } from '../../store/store.ts'

/** An opened certificate, with values that are derived from it once. */
export interface CachedCertificate {
  readonly certified: Certified
  readonly claim: readonly string[]
  readonly scores: FirstRoundScores
  readonly isGroupConditional: boolean
}

export interface CertificateCache {
  /** Null: the store has none with this id. */
  open(id: string): Promise<CachedCertificate | null>
  /** Null: it is not open. */
  known(id: string): CachedCertificate | null
  put(certified: Certified): CachedCertificate
}

/** Certificates that stay open. One of 10,000 rows takes tens of megabytes. */
const MOST_OPEN = 4

/** Keeps the most recently used certificates open, because opening one fits it again. */
export function createCertificateCache({ certificates }: Store): CertificateCache {
  const byId = new Map<string, CachedCertificate>()
  const opening = new Map<string, Promise<CachedCertificate | null>>()

  function put(certified: Certified): CachedCertificate {
    const found = byId.get(certified.id)
    const { certificate } = certified
    const cached = found ?? {
      certified,
      claim: budgetSentences(certificate),
      scores: firstRoundScores(certificate),
      isGroupConditional: certificate.toJSON().groupConditional,
    }
    byId.delete(certified.id)
    byId.set(certified.id, cached)
    const [oldest] = byId.keys()
    if (byId.size > MOST_OPEN && oldest !== undefined) byId.delete(oldest)
    return cached
  }

  /** Moves it to the end, because the first one is dropped next. */
  function known(id: string): CachedCertificate | null {
    const found = byId.get(id)
    if (found === undefined) return null
    byId.delete(id)
    byId.set(id, found)
    return found
  }

  async function read(id: string): Promise<CachedCertificate | null> {
    const stored = await certificates.find(id)
    return stored === null ? null : put(openCertified(stored.file))
  }

  return {
    put,
    known,
    open: (id) => {
      const found = known(id)
      if (found !== null) return Promise.resolve(found)
      const begun = opening.get(id) ?? read(id).finally(() => opening.delete(id))
      opening.set(id, begun)
      return begun
    },
  }
}

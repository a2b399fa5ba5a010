import { budgetSentences, type FirstRoundScores, firstRoundScores } from '@quorate/certificate'
import { type Certified, openCertified } from '../../run/calibration/certified.ts'
import type { Store } from '../../store/store.ts'

/** A certificate in use, with what is made of it once. */
export interface CachedCertificate {
  readonly certified: Certified
  readonly claim: readonly string[]
  readonly scores: FirstRoundScores
  readonly isGroupConditional: boolean
}

export interface CertificateCache {
  /** Null: the store has none with this id. */
  open(id: string): Promise<CachedCertificate | null>
  /** Known already, so at once. */
  known(id: string): CachedCertificate | null
  put(certified: Certified): CachedCertificate
}

/** Opened ones beside the active: a file of 10,000 rows takes tens of megabytes. */
const MOST = 4

/** Certificates read once: opening one fits it again. */
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
    if (byId.size > MOST && oldest !== undefined) byId.delete(oldest)
    return cached
  }

  /** The one that was asked for last goes last. */
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

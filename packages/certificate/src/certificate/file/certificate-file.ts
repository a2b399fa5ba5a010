import type { Budget } from '../../budget.ts'
import { canonicalDigest } from '../../canonical/canonical-digest.ts'
import { CODE_VERSION, type Fingerprint, METHOD_VERSION } from '../fingerprint.ts'
import type { ResolvedReading } from '../read-debates.ts'

/** Fields of every certificate file. The others depend on its method. */
export interface CertificateFile {
  readonly quorate: 1
  readonly kind: 'certificate'
  readonly methodVersion: number
  readonly codeVersion: string
  readonly budget: Budget
  readonly fingerprint: Fingerprint
  readonly panel: ResolvedReading | null
  readonly ids: readonly string[] | null
  /** SHA-256 of the canonical JSON of everything else. */
  readonly checksum: string
}

type Sealed = 'quorate' | 'kind' | 'methodVersion' | 'codeVersion' | 'checksum'

/** Adds the versions and the checksum. */
export function sealed<File extends CertificateFile>(content: Omit<File, Sealed>): File {
  const versioned = {
    quorate: 1,
    kind: 'certificate',
    methodVersion: METHOD_VERSION,
    codeVersion: CODE_VERSION,
    ...content,
  }
  return { ...versioned, checksum: checksumOf(versioned) } as File // Omit of a type parameter is opaque to the compiler
}

/** Checksum of a JSON object without its `checksum` member. */
export function checksumOf(content: object): string {
  const { checksum: _, ...rest } = { checksum: undefined, ...content }
  return canonicalDigest(rest)
}

import { type Certificate, canonicalJson, loadCertificate, sha256 } from '@quorate/certificate'
import { z } from 'zod'
import { readServed, type ServedModels, writeServed } from './served-models.ts'

/** A certificate with what belongs to it in a file. */
export interface Certified {
  readonly certificate: Certificate
  /** The checksum of the file. */
  readonly id: string
  /** As it is stored: canonical JSON. */
  readonly file: string
  /** Content hashes of the calibration questions whose text was known. */
  readonly contents: ReadonlySet<string>
  /** Part of the fingerprint: the ids under which the calibrated models answered. */
  readonly served: ServedModels
}

const ownSchema = z.object({
  checksum: z.string(),
  contents: z.array(z.string()).optional(),
  fingerprint: z.object({ served: z.record(z.string(), z.array(z.string())).optional() }),
})

/** The file of a certificate; it also says, as hashes, which questions it was calibrated on, and who answered them. */
export function sealCertified(
  certificate: Certificate,
  { contents, served }: { readonly contents: Iterable<string>; readonly served: ServedModels },
): Certified {
  const { checksum: _, ...rest } = certificate.toJSON()
  const known = served.size === 0 ? {} : { served: writeServed(served) }
  const fingerprint = { ...rest.fingerprint, ...known }
  const content = { ...rest, fingerprint, contents: [...new Set(contents)].sort() }
  const checksum = sha256(canonicalJson(content))
  const file = canonicalJson({ ...content, checksum })
  return { certificate, id: checksum, file, contents: new Set(content.contents), served }
}

export function openCertified(text: string): Certified {
  const certificate = loadCertificate(text)
  const value: unknown = JSON.parse(text)
  const { checksum, contents = [], fingerprint } = ownSchema.parse(value)
  const served = readServed(fingerprint.served ?? {})
  return { certificate, id: checksum, file: canonicalJson(value), contents: new Set(contents), served }
}

import { type Certificate, canonicalJson, loadCertificate, sha256 } from '@quorate/certificate'
import { z } from 'zod'

/** A certificate with what belongs to it in a file. */
export interface Certified {
  readonly certificate: Certificate
  /** The checksum of the file. */
  readonly id: string
  /** As it is stored: canonical JSON. */
  readonly file: string
  /** Content hashes of the calibration questions whose text was known. */
  readonly contents: ReadonlySet<string>
}

const ownSchema = z.object({ checksum: z.string(), contents: z.array(z.string()).optional() })

/** The file of a certificate; it also says, as hashes, which questions it was calibrated on. */
export function sealCertified(certificate: Certificate, contents: Iterable<string>): Certified {
  const { checksum: _, ...rest } = certificate.toJSON()
  const content = { ...rest, contents: [...new Set(contents)].sort() }
  const checksum = sha256(canonicalJson(content))
  const file = canonicalJson({ ...content, checksum })
  return { certificate, id: checksum, file, contents: new Set(content.contents) }
}

export function openCertified(text: string): Certified {
  const certificate = loadCertificate(text)
  const value: unknown = JSON.parse(text)
  const { checksum, contents = [] } = ownSchema.parse(value)
  return { certificate, id: checksum, file: canonicalJson(value), contents: new Set(contents) }
}

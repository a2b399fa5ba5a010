import { type Certificate, canonicalJson, loadCertificate, sha256 } from '@quorate/certificate'
import { z } from 'zod'
import { type Content, type Contents, contentsOf } from './content-hash.ts'
import {
  type Mixture,
  mixtureOf,
  readServed,
  type ServedDebates,
  type ServedModels,
  servedModels,
  writeServed,
} from './served-models.ts'

/** A certificate with what belongs to it in a file. */
export interface Certified {
  readonly certificate: Certificate
  /** The checksum of the file. */
  readonly id: string
  /** As it is stored: canonical JSON. */
  readonly file: string
  /** The calibration questions whose text was known. */
  readonly contents: Contents
  /** Part of the fingerprint: the ids under which the calibrated models answered. */
  readonly served: ServedModels
  /** Part of the fingerprint: where several answered for one agent, and that was accepted. */
  readonly mixed: Mixture
}

const hashes = z.array(z.string())

const ownSchema = z.object({
  checksum: z.string(),
  contents: z.union([hashes, z.object({ whole: hashes, asked: hashes, bare: hashes })]).optional(),
  fingerprint: z.object({
    served: z.record(z.string(), z.array(z.string())).optional(),
    mixed: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  }),
})

/** The file of a certificate; it also says, as hashes, which questions it was calibrated on, and who answered them. */
export function sealCertified(
  certificate: Certificate,
  about: { readonly contents: Iterable<Content>; readonly served: ServedDebates },
): Certified {
  const { checksum: _, ...rest } = certificate.toJSON()
  const [contents, served, mixed] = [contentsOf(about.contents), servedModels(about.served), mixtureOf(about.served)]
  const fingerprint = {
    ...rest.fingerprint,
    ...(served.size === 0 ? {} : { served: writeServed(served) }),
    ...(Object.keys(mixed).length === 0 ? {} : { mixed }),
  }
  const content = { ...rest, fingerprint, contents: writeContents(contents) }
  const checksum = sha256(canonicalJson(content))
  const file = canonicalJson({ ...content, checksum })
  return { certificate, id: checksum, file, contents, served, mixed }
}

export function openCertified(text: string): Certified {
  const certificate = loadCertificate(text)
  const value: unknown = JSON.parse(text)
  const { checksum, contents, fingerprint } = ownSchema.parse(value)
  const [served, mixed] = [readServed(fingerprint.served ?? {}), fingerprint.mixed ?? {}]
  const file = canonicalJson(value)
  return { certificate, id: checksum, file, contents: readContents(contents ?? []), served, mixed }
}

function writeContents({ whole, asked, bare }: Contents) {
  return { whole: [...whole].sort(), asked: [...asked].sort(), bare: [...bare].sort() }
}

function readContents(contents: NonNullable<z.infer<typeof ownSchema>['contents']>): Contents {
  if (Array.isArray(contents)) return { ...contentsOf([]), exact: new Set(contents) }
  const { whole, asked, bare } = contents
  return { whole: new Set(whole), asked: new Set(asked), bare: new Set(bare), exact: new Set() }
}

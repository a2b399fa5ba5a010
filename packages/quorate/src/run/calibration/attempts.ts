import { type CalibrateOptions, resolvePromise } from '@quorate/certificate'
import { z } from 'zod'
import { certificateSchema } from '../../record/certificate.ts'
import type { Immutable } from '../../record/immutable.ts'
import { findStored, parseStored } from '../../record/parse-stored.ts'
import type { Store } from '../../store/store.ts'
import type { CalibrationDebates } from './calibration-debates.ts'

/** The part of a stored `total` certificate that shows whether it was made from the same labels. */
const totalFileSchema = certificateSchema
  .pick({ budget: true })
  .extend({ method: z.literal('total'), groupConditional: z.boolean(), ids: z.array(z.string()) })

/** So many certificates are checked, latest first. */
const MOST_CERTIFICATES = 10_000

interface Attempts {
  /** Number of the next attempt on these labels: one more than the highest attempt on overlapping labels. */
  readonly next: number
  /** Stored certificates with the same promise, made from debates with the same ids in the same order. */
  readonly alike: readonly { readonly attempt: number; readonly counted: string }[]
}

/** Fields that say where a certificate came from, not what it counted. */
const PROVENANCE = new Set(['fingerprint', 'contents', 'checksum', 'codeVersion'])

/** Everything that a certificate counted and found, as one text. The keys in the file are already sorted. */
function countedIn(file: string): string {
  const entries = Object.entries(parseStored(z.record(z.string(), z.unknown()), file, 'a certificate'))
  return JSON.stringify(entries.filter(([name]) => !PROVENANCE.has(name)))
}

type StoredCertificates = Pick<Store, 'certificates'>

/**
 * Repeating a calibration and keeping the result one likes has no guarantee unless delta is divided over the attempts. So every
 * certificate of the store that shares a label counts as an attempt.
 */
async function attemptsOn(
  { certificates }: StoredCertificates,
  ids: readonly string[],
  options: CalibrateOptions,
): Promise<Attempts> {
  const promise = promiseKey(options.budget.beta, options.budget.total)
  const known = new Set(ids)
  const alike: { attempt: number; counted: string }[] = []
  let next = 1
  for (const { id } of await certificates.list(MOST_CERTIFICATES)) {
    const stored = await certificates.find(id)
    const read = findStored(totalFileSchema, stored?.file ?? null)
    if (read === null || !read.ids.some((each) => known.has(each))) continue
    const { budget, ids: others, groupConditional } = read
    const before = budget.total?.attempt ?? 1
    const isSameList = others.length === ids.length && others.every((each, at) => each === ids[at])
    const isSamePromise = promiseKey(budget.beta, budget.total) === promise
    const isSameTest = isSameList && isSamePromise && groupConditional === (options.groupConditional ?? false)
    if (isSameTest && stored !== null) alike.push({ attempt: before, counted: countedIn(stored.file) })
    next = Math.max(next, before + 1)
  }
  return { next, alike }
}

function promiseKey(beta: number, total: Immutable<z.infer<typeof totalFileSchema>>['budget']['total']): string {
  const { kind, delta, floor, answers } = resolvePromise('calibrate', {
    beta,
    ...(total?.kind === undefined ? {} : { kind: total.kind }),
    ...(total?.delta === undefined ? {} : { delta: total.delta }),
    ...(total?.floor === undefined ? {} : { floor: total.floor }),
    ...(total?.answers === undefined ? {} : { answers: total.answers }),
  })
  return JSON.stringify([kind, beta, delta, floor, answers])
}

export interface CountedMaking<Made> {
  /** Ids of the labelled debates in order. Another order is another split into pilot and counted rows. */
  readonly ids: Iterable<string>
  readonly options: CalibrateOptions
  readonly make: (options: CalibrateOptions) => Made | Promise<Made>
  readonly fileOf: (made: Made) => string
}

/**
 * Makes a certificate and counts the attempt, for the profile `total` only. A caller who gives the attempt has counted it. A
 * certificate with exactly the same counts as one in the store is no further attempt. Anything else is: with another order of
 * the debates, other beliefs or other labels, the same promise is tested on other counts.
 */
export async function makeCounted<Made>(
  store: StoredCertificates,
  { ids, options, make, fileOf }: CountedMaking<Made>,
): Promise<Made> {
  if (options.profile !== 'total' || options.budget.total?.attempt !== undefined) return make(options)
  const { next, alike } = await attemptsOn(store, [...ids], options)
  const makeAs = async (attempt: number) =>
    make({ ...options, budget: { ...options.budget, total: { ...options.budget.total, attempt } } })
  for (const attempt of new Set(alike.map((one) => one.attempt))) {
    const made = await makeAs(attempt)
    const counted = countedIn(fileOf(made))
    if (alike.some((one) => one.counted === counted)) return made
  }
  return makeAs(next)
}

/** Ids of the debates that a certificate would be made from. */
export function labelledIds({ read: { debates } }: CalibrationDebates): readonly string[] {
  return debates.map(({ record }) => record.id)
}

import { type CalibrateOptions, resolvePromise } from '@quorate/certificate'
import { z } from 'zod'
import { certificateSchema } from '../../record/certificate.ts'
import type { Immutable } from '../../record/immutable.ts'
import { findStored } from '../../record/parse-stored.ts'
import type { Store } from '../../store/store.ts'
import type { CalibrationPanels } from './calibration-panels.ts'

/** What is read of a stored `total` certificate to see whether it looked at the same labels. */
const totalFileSchema = certificateSchema
  .pick({ budget: true })
  .extend({ method: z.literal('total'), groupConditional: z.boolean(), ids: z.array(z.string()) })

/** Certificates that are looked through, latest first. */
const MOST_CERTIFICATES = 10_000

/**
 * How often certificates were made from labels that overlap these, this one included. Looking again and keeping what pleases
 * has no guarantee unless delta is divided, so that every certificate of the store that shares a label counts. The same
 * promise from the same labels is the same certificate and no further attempt.
 */
export async function attemptOn(
  { certificates }: Pick<Store, 'certificates'>,
  ids: ReadonlySet<string>,
  options: CalibrateOptions,
): Promise<number> {
  const promise = promiseKey(options.budget.beta, options.budget.total)
  let attempt = 1
  for (const { id } of await certificates.list(MOST_CERTIFICATES)) {
    const stored = await certificates.find(id)
    const read = findStored(totalFileSchema, stored?.file ?? null)
    if (read === null || !read.ids.some((each) => ids.has(each))) continue
    const { budget, ids: others, groupConditional } = read
    const before = budget.total?.attempt ?? 1
    const isSameSet = others.length === ids.size && others.every((each) => ids.has(each))
    const isSamePromise = promiseKey(budget.beta, budget.total) === promise
    if (isSameSet && isSamePromise && groupConditional === (options.groupConditional ?? false)) return before
    attempt = Math.max(attempt, before + 1)
  }
  return attempt
}

type StoredBudget = Immutable<z.infer<typeof totalFileSchema>>['budget']['total']

function promiseKey(beta: number, total: StoredBudget): string {
  const { kind, delta, floor } = resolvePromise('calibrate', {
    beta,
    ...(total?.kind === undefined ? {} : { kind: total.kind }),
    ...(total?.delta === undefined ? {} : { delta: total.delta }),
    ...(total?.floor === undefined ? {} : { floor: total.floor }),
  })
  return JSON.stringify([kind, beta, delta, floor])
}

/** The options with the attempt in them; other profiles count none. */
export async function countedAttempt(
  store: Pick<Store, 'certificates'>,
  ids: ReadonlySet<string>,
  options: CalibrateOptions,
): Promise<CalibrateOptions> {
  if (options.profile !== 'total' || options.budget.total?.attempt !== undefined) return options
  const attempt = await attemptOn(store, ids, options)
  return { ...options, budget: { ...options.budget, total: { ...options.budget.total, attempt } } }
}

/** The debates that a certificate would be made from. */
export function labelledIds({ panels: { panels } }: Pick<CalibrationPanels, 'panels'>): ReadonlySet<string> {
  return new Set(panels.map(({ record }) => record.id))
}

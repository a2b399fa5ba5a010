import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Certificate } from '@quorate/certificate'
import { columnSteps } from '../../../contract/columns-of-debates.ts'
import type { DebateColumns, OperatingPoint } from '../../../contract/operating-point.ts'
import type { Services } from '../../services.ts'
import type { ServiceContext } from '../service-context.ts'
import { type ShownDebates, shownDebates, type WholeDebate } from './stored-debates.ts'

/**
 * Stored debates as columns without any text, and without those that are hidden from the caller. Debates that the certificate
 * was calibrated on are separate. A repeated request gets the same object until something is stored or hidden.
 */
export function createOperatingPoint(
  context: ServiceContext,
  blindness: Services['blindness'],
): Services['operatingPoint'] {
  const made = new WeakMap<ShownDebates, Promise<OperatingPoint>>()
  return ({ hidesBlind }) => operatingPoint(context, hidesBlind ? blindness : null, made)
}

async function operatingPoint(
  { policy, certificates, gather }: ServiceContext,
  blindness: Services['blindness'] | null,
  made: WeakMap<ShownDebates, Promise<OperatingPoint>>,
): Promise<OperatingPoint> {
  const active = policy.activeId()
  const cached = active === null ? null : await certificates.open(active)
  if (cached === null) {
    const leftOut = { stoppedEarly: 0, calibration: 0, otherPanel: 0, hidden: 0, tooMany: 0 }
    const unfinished = { short: 0, failed: 0 }
    return { certificate: null, debates: await columnsOf([], 0), calibration: null, unfinished, leftOut }
  }
  const { certificate } = cached.certified
  const shown = await shownDebates(await gather(cached.certified), blindness)
  const point = made.get(shown) ?? pointOf(certificate, shown)
  made.set(shown, point)
  point.catch(() => made.delete(shown))
  return point
}

async function pointOf(
  certificate: Certificate,
  { debates, unfinished, leftOut }: ShownDebates,
): Promise<OperatingPoint> {
  const own = debates.filter(({ isOwn }) => isOwn)
  const others = debates.filter(({ isOwn }) => !isOwn)
  return {
    certificate: certificate.toJSON(),
    debates: await columnsOf(others, certificate.rounds),
    calibration: await calibrationOf(certificate, own),
    unfinished,
    leftOut: { ...leftOut, calibration: own.length },
  }
}

/** In the order of the certificate's rows; null unless all of them are stored with their labels. */
async function calibrationOf({ ids, rounds }: Certificate, own: readonly WholeDebate[]): Promise<DebateColumns | null> {
  const byId = new Map(own.map((debate) => [debate.value.id, debate]))
  const rows = (ids ?? []).flatMap((id) => byId.get(id) ?? [])
  const isWhole = rows.length > 0 && rows.length === ids?.length
  return isWhole && rows.every(({ debate }) => debate.record.truth !== null) ? columnsOf(rows, rounds) : null
}

async function columnsOf(debates: readonly WholeDebate[], rounds: number): Promise<DebateColumns> {
  const sampled = new Set(debates.flatMap(({ value, isRepresentative }) => (isRepresentative ? [value.id] : [])))
  const steps = columnSteps({ debates: debates.map(({ debate }) => debate) }, rounds, (id) => sampled.has(id))
  let step = steps.next()
  while (step.done !== true) {
    await nextTurn()
    step = steps.next()
  }
  return step.value
}

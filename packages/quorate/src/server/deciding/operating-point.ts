import type { Certificate } from '@quorate/certificate'
import { columnsOfPanels } from '../../contract/columns-of-panels.ts'
import type { DebateColumns, OperatingPoint } from '../../contract/operating-point.ts'
import type { Services } from '../services.ts'
import type { Deck } from './deck.ts'
import { type HeldDebate, shownDebates } from './stored-debates.ts'

/** Stored debates in columns without any text, and never those that the certificate was made from or that are hidden. */
export async function operatingPoint(
  { policy, shelf, gather }: Deck,
  blindness: Pick<Services['blindness'], 'hidden'> | null,
): Promise<OperatingPoint> {
  const active = policy.activeId()
  const shelved = active === null ? null : await shelf.open(active)
  if (shelved === null) {
    const leftOut = { stoppedEarly: 0, calibration: 0, otherPanel: 0, hidden: 0, tooMany: 0 }
    const unfinished = { short: 0, failed: 0 }
    return { certificate: null, debates: columnsOf([], 0), calibration: null, unfinished, leftOut }
  }
  const { certificate } = shelved.certified
  const { debates, unfinished, leftOut } = await shownDebates(await gather(shelved.certified), blindness)
  const own = debates.filter(({ isOwn }) => isOwn)
  const others = debates.filter(({ isOwn }) => !isOwn)
  return {
    certificate: certificate.toJSON(),
    debates: columnsOf(others, certificate.rounds),
    calibration: calibrationOf(certificate, own),
    unfinished,
    leftOut: { ...leftOut, calibration: own.length },
  }
}

/** In place of the index of the right option. */
const UNDECIDABLE = -2

/** In the order of the certificate's rows; null unless all of them are there with their labels. */
function calibrationOf({ ids, rounds }: Certificate, own: readonly HeldDebate[]): DebateColumns | null {
  const byId = new Map(own.map((debate) => [debate.value.id, debate]))
  const rows = (ids ?? []).flatMap((id) => byId.get(id) ?? [])
  const isWhole = rows.length > 0 && rows.length === ids?.length
  return isWhole && rows.every(({ panel }) => panel.record.gold !== null) ? columnsOf(rows, rounds) : null
}

function columnsOf(debates: readonly HeldDebate[], rounds: number): DebateColumns {
  const drawn = new Set(debates.flatMap(({ value, isDraw }) => (isDraw ? [value.id] : [])))
  const columns = columnsOfPanels({ panels: debates.map(({ panel }) => panel) }, rounds, (id) => drawn.has(id))
  return { ...columns, gold: columns.gold.map((gold, row) => (debates[row]?.isUndecidable ? UNDECIDABLE : gold)) }
}

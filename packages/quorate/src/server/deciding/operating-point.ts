import type { Certificate } from '@quorate/certificate'
import { columnsOfPanels } from '../../contract/columns-of-panels.ts'
import type { DebateColumns, OperatingPoint } from '../../contract/operating-point.ts'
import { contentOf } from '../../runs/content-hash.ts'
import type { Deck } from './deck.ts'
import { gatherDebates, type HeldDebate } from './stored-debates.ts'

/** Stored debates in columns without any text, and never those that the certificate was made from. */
export async function operatingPoint({ tools, policy, shelf }: Deck): Promise<OperatingPoint> {
  const active = policy.activeId()
  const shelved = active === null ? null : await shelf.open(active)
  if (shelved === null) {
    const leftOut = { stoppedEarly: 0, calibration: 0, otherPanel: 0 }
    return { certificate: null, debates: columnsOf([], 0), calibration: null, leftOut }
  }
  const { certificate, contents } = shelved.certified
  const { debates, leftOut } = await gatherDebates(tools.store, certificate)
  const ids = new Set(certificate.ids)
  const isOwn = ({ value }: HeldDebate) => {
    const content = contentOf(value)
    return (
      ids.has(value.id) ||
      (content !== null && (contents.whole.has(content.whole ?? '') || contents.bare.has(content.asked)))
    )
  }
  const own = debates.filter(isOwn)
  return {
    certificate: certificate.toJSON(),
    debates: columnsOf(
      debates.filter((debate) => !isOwn(debate)),
      certificate.rounds,
    ),
    calibration: calibrationOf(certificate, own),
    leftOut: { ...leftOut, calibration: own.length },
  }
}

/** In the order of the certificate's rows; null unless all of them are there with their labels. */
function calibrationOf({ ids, rounds }: Certificate, own: readonly HeldDebate[]): DebateColumns | null {
  const byId = new Map(own.map((debate) => [debate.value.id, debate]))
  const rows = (ids ?? []).flatMap((id) => byId.get(id) ?? [])
  const isWhole = rows.length > 0 && rows.length === ids?.length
  return isWhole && rows.every(({ panel }) => panel.record.gold !== null) ? columnsOf(rows, rounds) : null
}

function columnsOf(debates: readonly HeldDebate[], rounds: number): DebateColumns {
  const drawn = new Set(debates.flatMap(({ value, isDraw }) => (isDraw ? [value.id] : [])))
  return columnsOfPanels({ panels: debates.map(({ panel }) => panel) }, rounds, (id) => drawn.has(id))
}

import type { Certificate, DebateRecord } from '@quorate/certificate'
import type { DebateColumns, OperatingPoint } from '../../contract/operating-point.ts'
import { contentHash } from '../../runs/content-hash.ts'
import type { Deck } from './deck.ts'
import { gatherDebates, type HeldDebate } from './stored-debates.ts'

const NOTHING: DebateColumns = {
  ...{ agents: [], rounds: 0, optionLists: [], options: [], groups: [], gold: [], beliefs: [], answers: [] },
}

/** Stored debates in columns without any text, and never those that the certificate was made from. */
export async function operatingPoint({ tools, policy, shelf }: Deck): Promise<OperatingPoint> {
  const active = policy.activeId()
  const shelved = active === null ? null : await shelf.open(active)
  if (shelved === null) {
    const leftOut = { stoppedEarly: 0, calibration: 0, otherPanel: 0 }
    return { certificate: null, debates: NOTHING, calibration: null, leftOut }
  }
  const { certificate, contents } = shelved.certified
  const { debates, leftOut } = await gatherDebates(tools.store, certificate)
  const ids = new Set(certificate.ids)
  const isOwn = ({ record, value }: HeldDebate) => ids.has(record.id) || contents.has(contentHash(value) ?? '')
  const own = debates.filter(isOwn)
  const fresh = debates.filter((debate) => !isOwn(debate))
  return {
    certificate: certificate.toJSON(),
    debates: columnsOf(
      certificate,
      fresh.map(({ record }) => record),
    ),
    calibration: calibrationOf(certificate, own),
    leftOut: { ...leftOut, calibration: own.length },
  }
}

/** In the order of the certificate's rows; null unless all of them are there with their labels. */
function calibrationOf(certificate: Certificate, own: readonly HeldDebate[]): DebateColumns | null {
  const byId = new Map(own.map(({ record }) => [record.id, record]))
  const records = (certificate.ids ?? []).flatMap((id) => byId.get(id) ?? [])
  const isWhole = records.length > 0 && records.length === certificate.ids?.length
  return isWhole && records.every(({ gold }) => gold !== null) ? columnsOf(certificate, records) : null
}

function columnsOf({ rounds, fingerprint }: Certificate, records: readonly DebateRecord[]): DebateColumns {
  const agents = [...(fingerprint.agents?.at(-1) ?? records[0]?.rounds.at(-1)?.agents ?? [])]
  const lists = new Map<string, number>()
  const optionLists: string[][] = []
  const columns = { options: [] as number[], beliefs: [] as (number | null)[], answers: [] as number[] }
  for (const record of records) {
    const key = JSON.stringify(record.options)
    const list = lists.get(key) ?? optionLists.push([...record.options]) - 1
    lists.set(key, list)
    columns.options.push(list)
    addTurns(columns, record, agents)
  }
  return {
    ...{ agents, rounds, optionLists, ...columns },
    groups: records.map(({ group }) => group),
    gold: records.map(({ gold }) => gold ?? -1),
  }
}

interface Turns {
  readonly beliefs: (number | null)[]
  readonly answers: number[]
}

/** Seats in the order of `agents`, whatever their order was; an agent that was not asked has no beliefs. */
function addTurns({ beliefs, answers }: Turns, { rounds, options }: DebateRecord, agents: readonly string[]): void {
  for (const round of rounds) {
    for (const agent of agents) {
      const seat = round.agents.indexOf(agent)
      const vote = seat < 0 ? -1 : (round.votes[seat] ?? -1)
      answers.push(vote)
      for (let option = 0; option < options.length; option++) {
        const belief = seat < 0 ? undefined : round.beliefs[seat * options.length + option]
        beliefs.push(
          belief === undefined || (vote === -1 && isUniform(round.beliefs, seat, options.length)) ? null : belief,
        )
      }
    }
  }
}

/** An abstention is read as a uniform distribution. */
function isUniform(beliefs: Float64Array, seat: number, options: number): boolean {
  const own = beliefs.subarray(seat * options, (seat + 1) * options)
  return own.every((belief) => Math.abs(belief - 1 / options) < 1e-9)
}

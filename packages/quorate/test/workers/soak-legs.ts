import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../../../tools/postgres.ts'
import { BIN } from './fleet.ts'
import { machineText } from './machine.ts'
import { runSharedChaos, type SharedChaosEnd, type SharedProgress } from './shared-chaos.ts'
import { after, freezing, inTurn, killing, NO_TROUBLE, restarting, type Trouble, whenDone } from './troubles.ts'

export interface SoakSize {
  readonly debates: number
  /** Size of the legs in which the database restarts and a worker is frozen. */
  readonly fewerDebates: number
  readonly freezeMs: number
  /** Null: the leg is too short for meaningful times. */
  readonly times: { readonly leastUndisturbedSeconds: number; readonly mostRatio: number } | null
}

/**
 * The legs are limited by slots, not by cores, even on two cores. A worker that restarts every other second takes half a core,
 * which the others must not need.
 */
const WORKERS = 4
const CONCURRENCY = 20
const LATENCY_MS = 300

export const LONG: SoakSize = {
  debates: 10_000,
  fewerDebates: 2000,
  freezeMs: 40_000,
  times: { leastUndisturbedSeconds: 120, mostRatio: 1.5 },
}
export const QUICK: SoakSize = { debates: 400, fewerDebates: 400, freezeMs: 25_000, times: null }

export interface Leg {
  readonly name: string
  readonly debates: number
  readonly trouble: Trouble
}

/** The legs of one size in order. The second is compared with the first. */
export function soakLegs({ debates, fewerDebates, freezeMs }: SoakSize, seed: number): readonly Leg[] {
  const restart = after(8000, restarting)
  const freeze = freezing({ forMs: freezeMs })
  return [
    { name: 'undisturbed', debates, trouble: NO_TROUBLE },
    { name: 'a worker killed every 2 s', debates, trouble: killing({ everyMs: 2000, seed }) },
    {
      name: 'PostgreSQL stopped immediately and restarted, twice',
      debates: fewerDebates,
      trouble: inTurn(restart, restart),
    },
    {
      // It first wakes up while there are new questions, and later when others have its own, because there are no new ones.
      name: `a worker stopped for ${freezeMs / 1000} s, twice`,
      debates: fewerDebates,
      trouble: inTurn(after(5000, freeze), whenDone(0.9, freeze)),
    },
  ]
}

export interface LegEnd extends SharedChaosEnd {
  readonly leg: Leg
  readonly machine: string
}

export interface LegOptions {
  readonly seed: number
  readonly today: Date
  readonly log: (progress: SharedProgress) => void
}

/** Runs a leg on a database of its own. Throws unless every debate exists, nothing was done twice and the totals are right. */
export async function walk(leg: Leg, { seed, today, log }: LegOptions): Promise<LegEnd> {
  const start = await startPostgres()
  if (start.kind === 'absent') throw new Error(start.reason)
  const { postgres } = start
  const folder = mkdtempSync(join(tmpdir(), 'quorate-soak-'))
  try {
    const end = await runSharedChaos({
      postgres,
      folder,
      seed,
      log,
      trouble: leg.trouble,
      questions: leg.debates,
      workers: WORKERS,
      concurrency: CONCURRENCY,
      latencyMs: LATENCY_MS,
      mostSeconds: 3600,
      bin: BIN,
    })
    return { ...end, leg, machine: await machineText(postgres.url, today) }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Which limit the times exceed, if the size has limits; null: none. */
export function wrongTimes(ends: readonly LegEnd[], { times }: SoakSize): string | null {
  const [undisturbed, killed] = ends
  if (times === null || undisturbed === undefined || killed === undefined) return null
  const { leastUndisturbedSeconds, mostRatio } = times
  if (undisturbed.seconds < leastUndisturbedSeconds) {
    return `undisturbed it took ${undisturbed.seconds.toFixed(0)} s, expected at least ${leastUndisturbedSeconds}: more --debates`
  }
  const ratio = killed.seconds / undisturbed.seconds
  if (ratio <= mostRatio) return null
  return `with kills it took ${ratio.toFixed(2)} times as long as without, expected at most ${mostRatio}`
}

/** The result as the table of docs/soak.md. */
export function soakTable(ends: readonly LegEnd[]): string {
  const [first] = ends
  const header = [
    ...['', 'debates', 'answered', 'refused', 'lost: open', 'lost: faults', 'requests', 'faults', 'wasted replies'],
    ...['kills', 'restarts', 'stops', 'seconds', 'to undisturbed', 'longest pause', 'calls/s'],
  ]
  const rows = ends.map((end) => {
    const ratio = end.leg.debates === first?.leg.debates ? (end.seconds / first.seconds).toFixed(2) : ''
    const { answered, refused, lost } = end.calls
    return [
      end.leg.name,
      ...[end.leg.debates, answered, refused, end.lostOpen, lost - end.lostOpen, end.requests, end.faults].map(whole),
      ...[end.repliesLost, end.kills, end.restarts, end.freezes, end.seconds].map(whole),
      ...[ratio, `${end.longestPauseSeconds.toFixed(1)} s`, whole(answered / end.seconds)],
    ]
  })
  const lines = [header, header.map((_, column) => (column === 0 ? '---' : '---:')), ...rows]
  const setUp = `${WORKERS} workers, ${CONCURRENCY} calls at once each, replies after ${LATENCY_MS} ms, 10 % faults.`
  return `${first?.machine ?? ''} ${setUp}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

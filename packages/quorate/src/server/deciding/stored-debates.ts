import { type Certificate, type Debate, type ReadPanel, readPanels } from '@quorate/certificate'
import { debatesOfRun } from '../../runs/recorded-debates.ts'
import type { Run, Store } from '../../store/store.ts'

/** A debate of the store that the certificate's panel held through all rounds. */
export interface HeldDebate {
  readonly panel: ReadPanel
  readonly value: Debate
  /** It stands for the population: imported, or drawn for a spot check. */
  readonly isDraw: boolean
}

export interface GatheredDebates {
  /** Each question once, labelled if any run has it so, else as the latest has it; the oldest run first. */
  readonly debates: readonly HeldDebate[]
  readonly leftOut: { readonly stoppedEarly: number; readonly otherPanel: number }
}

/** More would be too much for a page, and for a thread to evaluate while people wait. */
const MOST = 20_000
const RUNS_AT_ONCE = 100

/** Labels are those of imports and spot checks: what deferrals came to says nothing about other questions. */
export async function gatherDebates(store: Store, certificate: Certificate): Promise<GatheredDebates> {
  const known = new Map<string, HeldDebate>()
  const short = new Set<string>()
  const byRun: HeldDebate[][] = []
  let otherPanel = 0
  for await (const run of allRuns(store)) {
    if (known.size >= MOST) break
    const ofRun: HeldDebate[] = []
    byRun.push(ofRun)
    for await (const { value } of debatesOfRun(store, run)) {
      if (known.size >= MOST) break
      const debate = value as Debate & { readonly isDrawn?: boolean } // read by the door in there
      if ((debate?.failure ?? null) !== null) continue
      const held = readHeld(certificate, debate, debate?.isDrawn !== false)
      if (held === 'short') short.add(debate?.id ?? '')
      else if (held === 'other') otherPanel += 1
      else if (worthOf(held) > worthOf(known.get(debate.id))) {
        known.set(debate.id, held)
        ofRun.push(held)
      }
    }
  }
  // What another run holds in full can be decided again.
  const stoppedEarly = [...short].filter((id) => !known.has(id)).length
  const debates = byRun.reverse().flat()
  return { debates: debates.filter((held) => known.get(held.value.id) === held), leftOut: { stoppedEarly, otherPanel } }
}

/** What was deferred and not drawn says nothing about other questions, and without a label little. */
function worthOf(held: HeldDebate | undefined): number {
  if (held === undefined) return 0
  return held.isDraw ? (held.panel.record.gold === null ? 2 : 3) : 1
}

/** Latest first. */
async function* allRuns({ runs }: Store): AsyncGenerator<Run> {
  for (let before: string | undefined; ; ) {
    const page: readonly Run[] = await runs.list(RUNS_AT_ONCE, before)
    yield* page
    before = page.at(-1)?.id
    if (page.length < RUNS_AT_ONCE) return
  }
}

function readHeld(certificate: Certificate, value: Debate, isDraw: boolean): HeldDebate | 'short' | 'other' {
  const { panel: reading, rounds, fingerprint } = certificate
  if (!Array.isArray(value?.rounds) || value.rounds.length < rounds) return 'short'
  try {
    const kept = { ...value, rounds: value.rounds.slice(0, rounds) }
    const { elicitation: beliefs = 'given', seed = 0 } = reading ?? {}
    const [panel] = readPanels([kept], { beliefs, seed }).panels
    const isSame = panel?.rounds.every(({ agents }, round) => isPanel(agents, fingerprint.agents?.[round]))
    return panel !== undefined && isSame === true ? { panel, value: kept, isDraw } : 'other'
  } catch {
    // What cannot be read was held by something else.
    return 'other'
  }
}

function isPanel(agents: readonly string[], known: readonly string[] | undefined): boolean {
  return known === undefined || (agents.length === known.length && agents.every((name) => known.includes(name)))
}

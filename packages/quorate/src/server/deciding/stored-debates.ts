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
  /** Each question once, as the latest run has it. */
  readonly debates: readonly HeldDebate[]
  readonly leftOut: { readonly stoppedEarly: number; readonly otherPanel: number }
}

/** More would be too much for a page, and for a thread to evaluate while people wait. */
const MOST = 20_000
const RUNS_AT_ONCE = 100

/** Labels are those of imports and spot checks: what deferrals came to says nothing about other questions. */
export async function gatherDebates(store: Store, certificate: Certificate): Promise<GatheredDebates> {
  const debates = new Map<string, HeldDebate>()
  const leftOut = { stoppedEarly: 0, otherPanel: 0 }
  for await (const run of allRuns(store)) {
    for await (const { value, drop } of debatesOfRun(store, run)) {
      if (debates.size >= MOST) return { debates: [...debates.values()], leftOut }
      if (drop === 'failed') continue
      const held = readHeld(certificate, value as Debate, drop !== 'undrawn') // read by the door in there
      if (held === 'short') leftOut.stoppedEarly += 1
      else if (held === 'other') leftOut.otherPanel += 1
      else if (!debates.has(held.value.id)) debates.set(held.value.id, held)
    }
  }
  return { debates: [...debates.values()], leftOut }
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

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Debate, type ReadDebate, readDebates } from '@quorate/certificate'
import { isFailedDebate } from '../../../record/decision.ts'
import type { Certified } from '../../../run/calibration/certified.ts'
import { contentOf, isContentAmong } from '../../../run/calibration/content-hash.ts'
import { debatesOfRun, type ListedQuestion } from '../../../run/calibration/recorded-debates.ts'
import { allRuns } from '../../../run/find-run.ts'
import { questionRows } from '../../../run/pages.ts'
import type { Run, Store } from '../../../store/store.ts'
import type { Blindness } from '../../services.ts'

/** A stored debate of the certificate's panel with all rounds. */
export interface WholeDebate {
  readonly debate: ReadDebate
  /** Without any text. */
  readonly value: GatheredDebate
  /** It represents the population: it was imported, or sampled for a spot check. */
  readonly isRepresentative: boolean
  /** The certificate was calibrated on it. */
  readonly isOwn: boolean
}

type GatheredDebate = Pick<
  Debate,
  'id' | 'question_of' | 'group' | 'options' | 'gold' | 'verdict' | 'correct' | 'grades' | 'rounds'
>

export interface GatheredDebates {
  /** One debate per question, preferably a labelled one, else the latest; oldest arrival first. */
  readonly debates: readonly WholeDebate[]
  /** Ids of debates that did not reach the last round. */
  readonly lacking: {
    /** Spot checks that the caller stopped after the decision. */
    readonly short: readonly string[]
    /** Spot checks that failed before a decision and so were deferred. */
    readonly failed: readonly string[]
    readonly unsampled: readonly string[]
  }
  readonly leftOut: {
    readonly otherPanel: number
    /** Debates older than the latest MOST_DEBATES. */
    readonly tooMany: number
  }
}

/** More would be too much for a page, and for an evaluation while people wait. */
const MOST_DEBATES = 20_000
/** Debates that are read before other requests get a turn. */
const AT_ONCE = 50

/** Gathers the latest debates. Labels are from imports and spot checks, because deferrals are not representative. */
export async function gatherDebates(
  store: Store,
  certified: Certified,
  most: number = MOST_DEBATES,
): Promise<GatheredDebates> {
  const known = new Map<string, WholeDebate>()
  const lacking = { short: new Set<string>(), failed: new Set<string>(), unsampled: new Set<string>() }
  const byRun: string[][] = []
  let otherPanel = 0
  let tooMany = 0
  let read = 0
  for await (const run of allRuns(store)) {
    const { latest, older } = await latestOf(store, run, Math.max(0, most - known.size))
    tooMany += older
    if (latest.length === 0) continue
    const ofRun: string[] = []
    byRun.push(ofRun)
    for await (const { value } of debatesOfRun(store, run, {
      wanted: latest,
      beliefs: certified.certificate.panel?.elicitation,
    })) {
      if (++read % AT_ONCE === 0) await nextTurn()
      const debate = value as Gathered // debatesOfRun has parsed it
      const found = (debate?.failure ?? null) === null ? readWhole(certified, debate) : 'short'
      // Even if another run debated it to the end: its first arrival counts.
      if (found !== 'other') ofRun.push(debate?.id ?? '')
      if (found === 'short') lacking[await lackOf(store, run, debate)].add(debate?.id ?? '')
      else if (found === 'other') otherPanel += 1
      else if (worthOf(found) > worthOf(known.get(debate.id))) known.set(debate.id, found)
    }
  }
  // A question that another run debated to the end is not lacking.
  const unknown = (ids: ReadonlySet<string>) => [...ids].filter((id) => !known.has(id))
  const { short, failed, unsampled } = lacking
  const debates = [...new Set(byRun.reverse().flat())].flatMap((id) => known.get(id) ?? [])
  const without = { short: unknown(short), failed: unknown(failed), unsampled: unknown(unsampled) }
  return { debates, lacking: without, leftOut: { otherPanel, tooMany } }
}

export interface ShownDebates {
  readonly debates: GatheredDebates['debates']
  /** Spot checks that did not reach the last round. */
  readonly unfinished: { readonly short: number; readonly failed: number }
  readonly leftOut: GatheredDebates['leftOut'] & {
    readonly stoppedEarly: number
    /** Debates that are hidden from the caller, whether they reached the last round or not. */
    readonly hidden: number
  }
}

/**
 * `blindness` null: the caller sees everything. For the same debates and the same hidden questions it returns the same object,
 * so that derived values can be cached by it.
 */
export async function shownDebates(gathered: GatheredDebates, blindness: Blindness | null): Promise<ShownDebates> {
  const { debates, lacking } = gathered
  const questionIds = [...debates.map(({ value }) => value.id), ...Object.values(lacking).flat()]
  const hidden = (await blindness?.hidden({ questionIds })) ?? new Set<string>()
  const known = shownOf.get(gathered) ?? []
  const same = known.find((one) => isSameSet(one.hidden, hidden))
  if (same !== undefined) return same.shown
  const shown = without(gathered, hidden)
  shownOf.set(gathered, [{ hidden, shown }, ...known].slice(0, MOST_SHOWN))
  return shown
}

/** One for callers who see everything, and one for the others. */
const MOST_SHOWN = 2
const shownOf = new WeakMap<
  GatheredDebates,
  readonly { readonly hidden: ReadonlySet<string>; readonly shown: ShownDebates }[]
>()

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((id) => right.has(id))
}

function without({ debates, lacking, leftOut }: GatheredDebates, hidden: ReadonlySet<string>): ShownDebates {
  const countOf = (ids: readonly string[]) => ids.filter((id) => !hidden.has(id)).length
  return {
    debates: debates.filter(({ value }) => !hidden.has(value.id)),
    unfinished: { short: countOf(lacking.short), failed: countOf(lacking.failed) },
    leftOut: { ...leftOut, stoppedEarly: countOf(lacking.unsampled), hidden: hidden.size },
  }
}

type Gathered = Debate & { readonly isSpotCheck?: boolean }

/** Why a debate lacks rounds. A run that does not decide samples nothing. */
async function lackOf({ decisions }: Store, run: Run, debate: Gathered): Promise<'short' | 'failed' | 'unsampled'> {
  if (run.kind !== 'decide' || debate?.isSpotCheck === false) return 'unsampled'
  const decision = await decisions.find(run.id, debate?.id ?? '')
  return decision === null || isFailedDebate(decision.reason) ? 'failed' : 'short'
}

/** The latest questions of a run in order of arrival, and the number of older ones. */
async function latestOf(
  store: Store,
  { id }: Run,
  most: number,
): Promise<{ readonly latest: readonly ListedQuestion[]; readonly older: number }> {
  const found: ListedQuestion[] = []
  let read = 0
  for await (const { questionId, isSpotCheck, status } of questionRows(store, id)) {
    if (++read % (AT_ONCE * 10) === 0) await nextTurn()
    // A pending question has no stored debate, or not all its rounds.
    if (status !== 'pending') found.push({ questionId, isSpotCheck })
  }
  const older = Math.max(0, found.length - most)
  return { latest: found.slice(older), older }
}

/** Ranks the debates of one question: labelled before unlabelled, and representative before others. */
function worthOf(found: WholeDebate | undefined): number {
  if (found === undefined) return 0
  if (!found.isRepresentative) return 1
  const { truth } = found.debate.record
  if (truth === null) return 2
  return truth.kind === 'unjudged' ? 3 : 4
}

function readWhole({ certificate, contents }: Certified, value: Gathered): WholeDebate | 'short' | 'other' {
  const { panel: reading, rounds, fingerprint, ids } = certificate
  if (!Array.isArray(value?.rounds) || value.rounds.length < rounds) return 'short'
  try {
    const bare = bareDebate(value, rounds)
    const { elicitation: beliefs = 'given', seed = 0 } = reading ?? {}
    const [debate] = readDebates([bare], { beliefs, seed }).debates
    const isSame = debate?.rounds.every(({ agents }, round) => isPanel(agents, fingerprint.agents?.[round]))
    if (debate === undefined || isSame !== true) return 'other'
    const content = contentOf(value)
    const isAsked = content !== null && isContentAmong(contents, content)
    const isRepresentative = value.isSpotCheck !== false
    const isOwn = isAsked || idsOf(ids).has(value.id)
    return { debate, value: bare, isRepresentative, isOwn }
  } catch {
    // A debate that cannot be read is not of this panel.
    return 'other'
  }
}

/** Drops all texts, because many debates are kept in memory. */
function bareDebate(debate: Debate, most: number): GatheredDebate {
  const { id, question_of = null, group = null, options, gold = null, verdict = null, correct = null, rounds } = debate
  const grades = debate.grades?.filter(({ round }) => round <= most) ?? null
  const turns = rounds.slice(0, most).map((round) =>
    round.map(({ agent, answer, beliefs = null, conf = null, samples = null }) => ({
      agent,
      answer,
      beliefs,
      conf,
      samples,
    })),
  )
  return {
    id,
    question_of,
    group,
    options: Array.isArray(options) ? options : Object.keys(options),
    gold,
    verdict,
    correct,
    grades,
    rounds: turns,
  }
}

const idSets = new WeakMap<readonly string[], ReadonlySet<string>>()

function idsOf(ids: readonly string[] | null | undefined): ReadonlySet<string> {
  if (ids === null || ids === undefined) return NO_IDS
  const known = idSets.get(ids) ?? new Set(ids)
  idSets.set(ids, known)
  return known
}

const NO_IDS: ReadonlySet<string> = new Set()

function isPanel(agents: readonly string[], known: readonly string[] | undefined): boolean {
  return known === undefined || (agents.length === known.length && agents.every((name) => known.includes(name)))
}

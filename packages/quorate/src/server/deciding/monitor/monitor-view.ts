import { promisedWrongRate } from '@quorate/certificate'
import { everyModel } from '../../../config/resolve-config.ts'
import type { Missing, MonitorView, PolicyState, Wealth } from '../../../contract/monitor.ts'
import { priceOf } from '../../../model/prices.ts'
import { allowedMismatch, GROUPS_UNWATCHED } from '../../../monitor/suspension-due.ts'
import { stateWords } from '../../../record/state-words.ts'
import { allRuns } from '../../../run/find-run.ts'
import type { RunContext } from '../../../run/run-context.ts'
import type { PolicyEvent } from '../../../store/decisions/policy-events.ts'
import type { Run, Spend, Store } from '../../../store/store.ts'
import type { Services } from '../../services.ts'
import { mismatchOf } from '../decision-service.ts'
import type { ServiceContext } from '../service-context.ts'
import { type DecisionTally, readTally, shareOf } from './decision-tally.ts'
import { hiddenOf } from './monitor-others.ts'
import { createPeriods, suspensionsOf } from './periods.ts'
import { createShadowFigures } from './shadow-figures.ts'

/** How long a view is reused, so that a busy page costs the store little. */
const FRESH_MS = 500
const MOST_ALARMS = 20
const COUNTED_MS = 60_000
/** How old the spend of a run may be. The app requests the list of runs at the same time, which has just read it. */
const SHARED_MS = 2000

/** Everything that the overview shows, computed at most twice a second. */
export function createMonitorView(context: ServiceContext, runs: () => readonly RunContext[]): Services['monitor'] {
  const { now } = context.tools
  const unpriced = unpricedCalls(context)
  const batch = createBatchSpend(context)
  const periods = createPeriods(context)
  const shadow = createShadowFigures(context)
  const views = new Map<boolean, MadeView>()
  return ({ hidesBlind } = { hidesBlind: false }) => {
    const at = now()
    const policy = context.policy.state()
    const last = views.get(hidesBlind)
    if (last !== undefined && last.policy === policy && at - last.at < FRESH_MS) return last.view
    const view = makeView(context, { runs: runs(), at, unpriced, batch, periods, shadow, hidesBlind })
    views.set(hidesBlind, { at, policy, view })
    return view
  }
}

interface MadeView {
  readonly at: number
  readonly policy: PolicyState
  readonly view: Promise<MonitorView>
}

interface ViewParts {
  readonly runs: readonly RunContext[]
  readonly at: number
  readonly unpriced: (run: RunContext, at: number) => Promise<number>
  readonly batch: ReturnType<typeof createBatchSpend>
  readonly periods: ReturnType<typeof createPeriods>
  readonly shadow: ReturnType<typeof createShadowFigures>
  /** Leaves out what people must not be able to infer. */
  readonly hidesBlind: boolean
}

async function makeView(
  context: ServiceContext,
  { runs, at, unpriced, batch, periods, shadow, hidesBlind }: ViewParts,
): Promise<MonitorView> {
  const { policy, watch, certificates, tools } = context
  if (await policy.refresh()) await watch.follow()
  const { risk, classes, drift, others, hidden } = hidesBlind
    ? await watch.shown()
    : { ...(await watch.evidence()), hidden: { counts: [] } }
  const mismatch = mismatchOf(tools, { certificates }, policy.activeId())
  const active = policy.activeId()
  const countedFor = active ?? (await latestCertificate(tools.store))
  const tally = await readTally(
    tools.store,
    countedFor,
    active === null && hidesBlind && countedFor !== null ? (await hiddenOf(tools, countedFor)).counts : hidden.counts,
  )
  const hiddenDecisions = hidden.counts.reduce((total, { decided }) => total + decided, 0)
  const cached = active === null ? null : certificates.known(active)
  const certificate = cached && certificateOf(cached.certified)
  const rounds = cached?.certified.certificate.rounds ?? 0
  const { waiting, oldestAt } = await tools.store.reviews.counts({ reviewer: '', since: at })
  const { abandoned: _, settled: __, ...spotChecks } = risk.spotChecks
  const { wealth, alarmAt, counted, isAlarm, eta, falseAlarm, horizon, power } = risk.alarm
  return {
    at,
    state: stateWords({
      ...policy.state(),
      certificate: certificate && { id: certificate.id, canAct: certificate.canAct },
    }),
    policy: policy.state(),
    certificate,
    claim: [...(cached?.claim ?? [])],
    spotChecks,
    periods: await periods({ hidesBlind, at, current: active === null ? null : spotChecks }),
    shadow: await shadow({ hidesBlind, at }),
    suspensions: suspensionsOf(policy.events()),
    countedFor,
    classes: classes.map(({ at: _, ...view }) => view),
    alarm: { wealth, alarmAt, counted, isAlarm, eta, falseAlarm, horizon, power },
    drift: drift && wealthOf(drift),
    missing: drift && missingOf(drift.missing),
    others: others.map(({ certificateId, alarm, drift: drifted }) => ({
      certificate: certificateId,
      alarm: wealthOf(alarm),
      drift: drifted && wealthOf(drifted),
    })),
    mismatch: [...mismatch],
    warnings: warningsOf(cached, tools.allowMismatch ? mismatch : []),
    hidden: hiddenDecisions,
    automation: { acted: shareOf(tally.acted, tally.decided), deferred: { ...tally.deferred } },
    rounds: roundsOf(tally, rounds),
    spend: await spendOf({
      runs: ownRuns(runs, countedFor),
      tally,
      rounds,
      unpriced: (run) => unpriced(run, at),
      isWhole: hiddenDecisions === 0,
      batch: await batch(countedFor, new Set(runs.map(({ opened }) => opened.run.id)), at),
    }),
    queue: { waiting, oldestAt },
    alarms: alarmsOf(policy.events()),
  }
}

export function budgetOf({
  beta,
  alpha,
  delta,
  epsilon,
  threshold,
}: { readonly [Name in 'beta' | 'alpha' | 'delta' | 'epsilon' | 'threshold']: number }) {
  return { beta, alpha, delta, epsilon, threshold }
}

function certificateOf({
  certificate,
  id,
}: NonNullable<ReturnType<ServiceContext['certificates']['known']>>['certified']) {
  const { profile, rounds, budget, feasible } = certificate
  const promised = promisedWrongRate(certificate)
  return { id, profile, rounds, budget: budgetOf(budget), promised, feasible, canAct: certificate.canAct() }
}

function wealthOf({ wealth, alarmAt, counted, isAlarm }: Wealth): Wealth {
  return { wealth, alarmAt, counted, isAlarm }
}

function missingOf({ share, limit, ...wealth }: Missing): Missing {
  return { ...wealthOf(wealth), share, limit }
}

function warningsOf(cached: ReturnType<ServiceContext['certificates']['known']>, allowed: readonly string[]): string[] {
  const isGrouped = cached?.isGroupConditional === true
  return [...(allowed.length > 0 ? [allowedMismatch(allowed)] : []), ...(isGrouped ? [GROUPS_UNWATCHED] : [])]
}

function roundsOf({ debated: { decided, rounds: total } }: DecisionTally, of: number): MonitorView['rounds'] {
  const mean = decided === 0 ? null : total / decided
  return { of, mean, saved: mean === null ? null : Math.max(0, of - mean) }
}

function ownRuns(runs: readonly RunContext[], certificateId: string | null): readonly RunContext[] {
  return runs.filter(({ opened }) => opened.run.certificateId === certificateId)
}

interface Spending {
  readonly runs: readonly RunContext[]
  readonly tally: DecisionTally
  readonly rounds: number
  /** False: the tally leaves out hidden decisions, but their calls are among the paid ones. */
  readonly isWhole: boolean
  readonly unpriced: (run: RunContext) => Promise<number>
  readonly batch: Awaited<ReturnType<ViewParts['batch']>>
}

/** Sums the spend meters in memory, which include the sums of the store, and the runs of other processes. */
async function spendOf({ runs, tally, rounds, isWhole, unpriced, batch }: Spending): Promise<MonitorView['spend']> {
  const spent = runs.map(({ calls }) => calls.meter.spent())
  const sum = (part: (one: (typeof spent)[number]) => number) => spent.reduce((total, each) => total + part(each), 0)
  const committedMicroUsd = sum((one) => one.committedMicroUsd) + batch.committedMicroUsd
  const calls = sum((one) => one.answered) + batch.calls
  const unpricedCalls = (await Promise.all(runs.map(unpriced))).reduce((total, one) => total + one, batch.unpricedCalls)
  const saved = Math.max(0, tally.debated.decided * rounds - tally.debated.rounds)
  const isPriced = isWhole && calls > 0 && unpricedCalls === 0 && tally.rounds > 0
  return {
    committedMicroUsd,
    reservedMicroUsd: sum((one) => one.reservedMicroUsd) + batch.reservedMicroUsd,
    savedMicroUsd: isPriced ? Math.round((committedMicroUsd / tally.rounds) * saved) : null,
    calls,
    unpricedCalls,
  }
}

/** The store counts them over all calls of a run, so they are read rarely, and only if a model has no price. */
function unpricedCalls({ spendOf }: ServiceContext): ViewParts['unpriced'] {
  const known = new Map<string, { readonly at: number; readonly count: Promise<number> }>()
  return (run, at) => {
    const { panel, prices } = run.plan
    if (everyModel(panel).every(({ model }) => priceOf(model, prices) !== null)) return Promise.resolve(0)
    const { id } = run.opened.run
    const before = known.get(id)
    if (before !== undefined && at - before.at < COUNTED_MS) return before.count
    const count = spendOf(run.opened.run, at, SHARED_MS).then((spend) => spend.unpricedCalls)
    known.set(id, { at, count })
    return count
  }
}

/** Latest first. */
function alarmsOf(events: readonly PolicyEvent[]): MonitorView['alarms'] {
  return events
    .slice(-MOST_ALARMS)
    .reverse()
    .map(({ at, kind, cause, note, by, certificateId }) => ({
      at,
      kind: cause ?? kind,
      by,
      text: note ?? '',
      certificate: kind === 'activate' ? certificateId : null,
    }))
}

type Sums = Pick<Spend, 'committedMicroUsd' | 'reservedMicroUsd' | 'unpricedCalls'> & { readonly calls: number }

/**
 * The spend of a certificate's runs that this process does not work on, such as those of the command line. The store counts it
 * over all their calls, so it is read rarely.
 */
function createBatchSpend(context: ServiceContext) {
  let last: { readonly key: string; readonly at: number; readonly sums: Promise<Sums> } | null = null
  return (certificateId: string | null, working: ReadonlySet<string>, at: number): Promise<Sums> => {
    const key = [certificateId, ...working].join(' ')
    if (last === null || last.key !== key || at - last.at >= COUNTED_MS) {
      last = { key, at, sums: sumOf(context, { certificateId, working, at }) }
      last.sums.catch(() => {
        last = null
      })
    }
    return last.sums
  }
}

interface Summed {
  readonly certificateId: string | null
  readonly working: ReadonlySet<string>
  readonly at: number
}

async function sumOf({ tools, spendOf }: ServiceContext, { certificateId, working, at }: Summed): Promise<Sums> {
  const sums = { calls: 0, committedMicroUsd: 0, reservedMicroUsd: 0, unpricedCalls: 0 }
  if (certificateId === null) return sums
  for await (const run of decidingRuns(tools.store, certificateId)) {
    if (working.has(run.id)) continue
    const spend = await spendOf(run, at, SHARED_MS)
    sums.calls += spend.calls.answered
    sums.committedMicroUsd += spend.committedMicroUsd
    sums.reservedMicroUsd += spend.reservedMicroUsd
    sums.unpricedCalls += spend.unpricedCalls
  }
  return sums
}

const LATEST_RUNS = 100

/** The certificate of the latest run that decides, such as a run of the command line. It is used if none is active. */
async function latestCertificate({ runs }: Store): Promise<string | null> {
  const latest = await runs.list(LATEST_RUNS)
  return (
    latest.find(({ kind, isShadow, certificateId }) => kind === 'decide' && !isShadow && certificateId !== null)
      ?.certificateId ?? null
  )
}

/** Runs that may act with the certificate, including those of the command line. */
async function* decidingRuns(store: Store, certificateId: string): AsyncGenerator<Run> {
  for await (const run of allRuns(store)) {
    if (run.kind === 'decide' && !run.isShadow && run.certificateId === certificateId) yield run
  }
}

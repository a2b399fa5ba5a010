import {
  type Certificate,
  canonicalJson,
  clopperPearsonInterval,
  type Evaluation,
  type Figure,
  OUR_POLICIES,
  policyNamed,
  sha256,
  splitSeeds,
  standingOf,
  type TotalBudget,
  usualBudget,
} from '@quorate/certificate'
import { CONFIG_DEFAULTS } from '../../../config/defaults.ts'
import type { CountedShare } from '../../../contract/figures.ts'
import type { AuditView, EvaluationView } from '../../../contract/operating-point.ts'
import { evaluateFile } from '../../../evaluation/evaluate-file.ts'
import { isMostlyDebated, stoppedWords } from '../../../run/calibration/calibration-debates.ts'
import { ProblemError, serverStopping } from '../../problem-response.ts'
import type { Blindness, Services } from '../../services.ts'
import type { ServiceContext } from '../service-context.ts'
import { withFile } from './body-file.ts'
import { doHeavyWork } from './heavy-work.ts'
import { type ShownDebates, shownDebates, type WholeDebate } from './stored-debates.ts'
import { createRemembered, createStudyTurns } from './study-turns.ts'

/** The fewest labelled debates for which a study is meaningful. */
const FEWEST = 40
const SPLITS = 4

export interface Studies {
  evaluate: Services['evaluate']
  audit: Services['audit']
}

/** Long computations over the labelled debates of the store. The same debates are studied once. */
export function createStudies(context: ServiceContext, blindness: Blindness): Studies {
  const evaluations = createRemembered<EvaluationView>()
  const audits = createRemembered<AuditView>()
  const turns = createStudyTurns()
  const { stopping } = context.tools
  /** Runs the work in its turn. It is cancelled when no caller waits any more or the server stops. */
  const study = <Result>(work: (signal: AbortSignal) => Promise<Result>) => {
    return async (unwanted: AbortSignal) => {
      const signal = AbortSignal.any([unwanted, stopping])
      return turns
        .take(() => work(signal), signal)
        .catch((error: unknown) => {
          if (unwanted.aborted) throw unwanted.reason
          throw stopping.aborted ? serverStopping() : error
        })
    }
  }
  return {
    async evaluate({ beta: asked, hidesBlind = false }, waiter) {
      const { lines, certificate, key, unjudged, untried } = await labelledLines(context, hidesBlind ? blindness : null)
      const budget =
        asked === undefined ? (certificate?.budget ?? context.tools.settings.budget) : usualBudget(onGrid(asked))
      const { beta, delta, epsilon } = budget
      const total = asked === undefined ? promisedBy(certificate) : {}
      const nothing = { debates: lines.length, unjudged, untried, splits: SPLITS, beta, policies: [] }
      if (certificate === null || lines.length < FEWEST) return nothing
      const beliefs = certificate.panel?.elicitation ?? 'given'
      const evaluated = study((signal) =>
        withFile(linesOf(lines), async (path) => {
          const options = {
            budgets: [{ beta, delta, epsilon, ...total }],
            file: { beliefs },
            seeds: splitSeeds(SPLITS),
            threads: 1,
            signal,
          }
          const [evaluation] = (await evaluateFile(path, options)).evaluations
          return evaluation === undefined ? nothing : evaluationView(evaluation, { unjudged, untried })
        }),
      )
      return evaluations.of(`${key} ${JSON.stringify(untried)} ${beta}`, evaluated, waiter)
    },
    async audit({ hidesBlind } = { hidesBlind: false }, waiter) {
      const { tools } = context
      const { lines, certificate, key } = await labelledLines(context, hidesBlind ? blindness : null)
      const at = tools.now()
      if (certificate === null) return { audit: null, missing: 'There is no certificate to audit.', at }
      if (lines.length < FEWEST) return { audit: null, missing: missingWords(lines.length), at }
      const {
        profile,
        budget: { beta, delta, epsilon },
      } = certificate
      // The same seed as `quorate audit`, so that the same debates give the same figures there.
      const budget = { beta, delta, epsilon, ...promisedBy(certificate) }
      const options = { profile, budget, seed: CONFIG_DEFAULTS.seed }
      const beliefs = certificate.panel?.elicitation ?? 'given'
      const audited = study((signal) =>
        withFile(linesOf(lines), async (path): Promise<AuditView> => {
          const found = await doHeavyWork({ kind: 'audit', path, beliefs, options }, signal)
          return { audit: found.audit, missing: null, at }
        }),
      )
      return audits.of(`${key} ${certificate.profile}`, audited, waiter)
    },
  }
}

/** The promise of a `total` certificate without its attempt, so that a study is about the same promise. */
function promisedBy(certificate: Certificate | null): { readonly total?: TotalBudget } {
  if (certificate?.kind !== 'total') return {}
  const { kind, delta, floor } = certificate.promise
  return { total: { kind, delta, floor: floor ?? 'none' } }
}

/** A grid finer than any slider limits the number of different studies. */
function onGrid(beta: number): number {
  return Math.min(0.9999, Math.max(0.0001, Math.round(beta * 10_000) / 10_000))
}

function missingWords(count: number): string {
  return (
    `An audit needs at least ${FEWEST} labelled debates with all their rounds, and the store has ${count}: import some ` +
    '(quorate import), or label spot checks.'
  )
}

/**
 * Labelled debates of the active certificate's panel as JSON lines without any text, oldest first, with a hash of all lines. It
 * refuses if too many spot checks did not reach their last round.
 */
async function labelledLines({ policy, certificates, gather }: ServiceContext, blindness: Blindness | null) {
  const active = policy.activeId()
  const cached = active === null ? null : await certificates.open(active)
  if (cached === null) return { lines: [], certificate: null, key: '', unjudged: 0, untried: { short: 0 } }
  const { certificate } = cached.certified
  const shown = await shownDebates(await gather(cached.certified), blindness)
  const { debates, unfinished } = shown
  const sampled = debates.filter(({ isRepresentative }) => isRepresentative)
  const { short: stopped, failed } = unfinished
  const spotChecks = { all: sampled.length + stopped + failed, stopped }
  if (!isMostlyDebated(spotChecks)) throw new ProblemError({ status: 422, detail: stoppedWords(spotChecks) })
  const unjudged = sampled.filter(({ debate }) => debate.record.truth?.kind === 'unjudged').length
  const known = written.get(shown) ?? writeLines(active, sampled)
  written.set(shown, known)
  return { ...known, certificate, unjudged, untried: { short: stopped } }
}

interface WrittenLines {
  readonly lines: readonly string[]
  readonly key: string
}

/** Serialising and hashing many debates takes long, so it is done once for the same debates. */
const written = new WeakMap<ShownDebates, WrittenLines>()

function writeLines(active: string | null, sampled: readonly WholeDebate[]): WrittenLines {
  const labelled = sampled.filter(({ debate }) => debate.record.truth !== null)
  const lines = labelled.map(({ value }) => JSON.stringify(value))
  return { lines, key: sha256(canonicalJson([active, lines])) }
}

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) yield `${line}\n`
}

function evaluationView(
  evaluation: Evaluation,
  { unjudged, untried }: Pick<EvaluationView, 'unjudged' | 'untried'>,
): EvaluationView {
  const { n, beta, seeds, policies } = evaluation
  const half = Math.floor(n / 2)
  // Half of the untried ones belong to each half.
  const unknown = untried.short / 2
  const shareFigure = (figure: Figure, of: number) => atWorst(shareOfHalf(figure, of), unknown)
  return {
    debates: n,
    unjudged,
    untried,
    splits: seeds.length,
    beta,
    policies: policies.map((policy) => ({
      name: policy.name,
      title: policyNamed(policy.name).summary,
      isOurs: OUR_POLICIES.some((name) => name === policy.name),
      acted: shareFigure(policy.act, half),
      accuracy: policy.accuracy === null ? null : shareFigure(policy.accuracy, Math.round(policy.act.mean * half)),
      wrong: shareFigure(policy.wrongActions, half),
      rounds: policy.roundsUsed.mean,
      calls: policy.calls.mean,
      standing: standingOf(policy, beta),
    })),
  }
}

/** The mean over splits, with the interval of one half. Counts are those of an average half. */
function shareOfHalf({ mean, low, high }: Figure, of: number): CountedShare | null {
  if (of === 0) return null
  const count = Math.round(mean * of)
  const own = clopperPearsonInterval(count, of, 0.95)
  return { count, of, share: mean, lower: low ?? own.lower, upper: high ?? own.upper }
}

/** Widens the interval so that it holds whatever the outcomes of the unknown ones are. */
function atWorst(share: CountedShare | null, unknown: number): CountedShare | null {
  if (share === null || unknown === 0) return share
  const { of, lower, upper } = share
  return { ...share, lower: (lower * of) / (of + unknown), upper: (upper * of + unknown) / (of + unknown) }
}

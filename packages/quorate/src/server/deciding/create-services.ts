import type { QuestionKey } from '../../record/question.ts'
import { createReviewService } from '../../review/create-review-service.ts'
import type { ReviewService } from '../../review/review-service.ts'
import { promiseDifference, refuseUndeferredGroups } from '../../run/deciding.ts'
import { answerLines } from '../../run/exchange/answer-lines.ts'
import { allRuns } from '../../run/find-run.ts'
import { RunError } from '../../run/run-plan.ts'
import { certificateBudgetLine } from '../../text/budget-line.ts'
import { ProblemError } from '../problem-response.ts'
import type { CertificateAtStart, CreateServices, Services, ServiceTools } from '../services.ts'
import { type CachedCertificate, createCertificateCache } from './certificate-cache.ts'
import { type Activate, certificateService } from './certificate-service.ts'
import { createCertify } from './certify-service.ts'
import { createDecisions, mismatchOf } from './decision-service.ts'
import { createMonitorView } from './monitor/monitor-view.ts'
import { createWatch } from './monitor/monitor-watch.ts'
import { openPolicyService, type PolicyService } from './monitor/policy-service.ts'
import { createSampler } from './server-runs.ts'
import type { ServiceContext } from './service-context.ts'
import { createGathering } from './studies/gathering.ts'
import { createOperatingPoint } from './studies/operating-point.ts'
import { createStudies } from './studies/studies.ts'
import { createBlindness } from './views/blindness.ts'
import { createDebateViews } from './views/debate-views.ts'
import { findDebate } from './views/find-debate.ts'
import { labelList, ledgerList } from './views/lists.ts'
import { createSpendOf, runService } from './views/run-views.ts'
import { settingsView, taskLabels, tokenService } from './views/settings-service.ts'

/** The services behind the routes. They continue questions that an earlier process accepted and did not finish. */
export const createServices: CreateServices = async (given) => {
  const ending = new AbortController()
  const tools: ServiceTools = { ...given, stopping: AbortSignal.any([given.stopping, ending.signal]) }
  const context = await openServiceContext(tools)
  const { policy, watch } = context
  const certificateAtStart = await describeActive(context)
  const decisions = createDecisions(context)
  const certify = createCertify(context)
  const activate = activation(context)
  const blindness = createBlindness(tools)
  await policy.withoutActing(() => watch.check())
  const suspendedAtStart = policy.suspension()
  await decisions.resume()
  const polling = keepPolling(context)
  const debates = createDebateViews(context)
  const services: Services = {
    certificateAtStart,
    suspendedAtStart,
    decisions,
    async decidedBefore(questionIds) {
      const decided = await tools.store.decisions.ofQuestions({ questionIds })
      return new Set(decided.map(({ questionId }) => questionId))
    },
    certify,
    certificates: certificateService(context, activate),
    debates,
    blindness,
    operatingPoint: createOperatingPoint(context, blindness),
    ...createStudies(context, blindness),
    reviews: watchedReviews(context),
    async answers({ format, query: { run: runId, ...filter }, debates: chosen, who, hidesBlind }) {
      const run = runId === undefined ? null : await tools.store.runs.find(runId)
      if (runId !== undefined && run === null) return null
      const hidden = (questionIds: readonly string[]) => blindness.hidden({ questionIds })
      const isWanted =
        chosen !== undefined
          ? isAmong(chosen)
          : Object.keys(filter).length === 0
            ? undefined
            : await debates.finder({ ...filter, run: runId }, who)
      return answerLines(tools.store, {
        format,
        run,
        ...(hidesBlind ? { hidden } : {}),
        ...(isWanted === undefined ? {} : { isWanted }),
      })
    },
    labels: labelList(tools.store),
    ledger: ledgerList(tools.store),
    runs: runService(context),
    tokens: tokenService(tools),
    settings: () => settingsView(tools),
    monitor: createMonitorView(context, decisions.runs),
    policy: {
      suspend: (note, who) => policy.suspendBy(note, who.name),
      release: async (note, who, since) => {
        const state = await policy.release(note, who.name, since)
        await watch.restart()
        return state
      },
    },
    async stop() {
      ending.abort()
      await decisions.stop()
      await polling
      await watch.stop()
    },
  }
  return services
}

/** Activates the certificate of --certificate, if there is one, before the monitor starts. */
async function openServiceContext(tools: ServiceTools): Promise<ServiceContext> {
  const { store, certified, settings } = tools
  const policy = await openPolicyService(tools)
  const certificates = createCertificateCache(store)
  const { spotCheckRate } = settings
  if (certified !== null) {
    refuseUndeferredGroups(certified.certificate, settings.declared?.deferGroups ?? [])
    certificates.put(certified)
    await store.certificates.save({ id: certified.id, file: certified.file, at: tools.now(), runId: null })
  }
  if (certified !== null && certified.id !== policy.activeId()) {
    const note = 'Activated at the start of the server: serve --certificate.'
    await policy.activate({ certificateId: certified.id, spotCheckRate, by: tools.operator, note })
  }
  const id = policy.activeId()
  if (certified !== null && certified.id !== id) throw notActive(certified.id, id)
  const active = id === null ? null : await certificates.open(id)
  if (id !== null && active === null) throw new Error(`the active certificate ${id} is not in the store`)
  if (active !== null) refuseUndeferredGroups(active.certified.certificate, settings.declared?.deferGroups ?? [])
  // An allowed mismatch suspends nothing, but the monitor still shows it.
  const mismatch = () => (tools.allowMismatch ? [] : mismatchOf(tools, { certificates }, policy.activeId()))
  const watch = await createWatch({ tools, policy, certificates, mismatch })
  const [gather, sampler, spendOf] = [createGathering(tools), createSampler(tools), createSpendOf(store)]
  return { tools, policy, certificates, watch, gather, sampler, spendOf }
}

/**
 * The certificate that is active at the start, with its promise, and with the config's promise if that differs. A difference
 * does not prevent the start, because the person who activated the certificate chose its promise.
 */
async function describeActive({ tools, policy, certificates }: ServiceContext): Promise<CertificateAtStart | null> {
  const id = policy.activeId()
  const active = id === null ? null : await certificates.open(id)
  if (id === null || active === null) return null
  const { certificate } = active.certified
  const { declared } = tools.settings
  const difference = declared === undefined ? null : promiseDifference(certificate, declared)
  return { id, promise: difference?.made ?? certificateBudgetLine(certificate), declared: difference?.declared ?? null }
}

function notActive(wanted: string, active: string | null): Error {
  const expected = `expected the certificate ${wanted} of --certificate to be the active one`
  return new Error(
    active === null
      ? `${expected}, but no certificate is active: its activation is not in the store. Check that the store can be ` +
          'written, and start again'
      : `${expected}, got ${active}, which another process activated meanwhile: start again to activate yours, or leave ` +
          'out --certificate to decide with the active one',
  )
}

function activation({ tools, policy, certificates, watch }: ServiceContext): Activate {
  return async (id, { who, note, mode }) => {
    const cached = await certificates.open(id)
    if (cached === null) return false
    const { spotCheckRate, declared } = tools.settings
    refuseActivation(cached, declared?.deferGroups ?? [])
    await policy.withoutActing(async () => {
      if (mode === 'shadow') await beginShadow(policy, { note, by: who.name })
      // Activating it again must not discard the evidence against it.
      if (policy.activeId() === id) return
      if (
        !(await policy.activate({ certificateId: id, spotCheckRate, by: who.name, note, isShadow: mode === 'shadow' }))
      ) {
        const detail = `The certificate was activated, but ${policy.activeId()} is the active one now.`
        throw new ProblemError({
          status: 409,
          detail,
          next: 'Agree with the person who activated it, and activate yours again.',
        })
      }
      await watch.restart()
      await watch.check()
    })
    return true
  }
}

/** The suspension is committed before the certificate becomes active, so nothing acts in between. */
async function beginShadow(policy: PolicyService, { note, by }: { readonly note: string; readonly by: string }) {
  const { state, cause } = policy.state()
  if (state === 'suspended' && cause !== 'shadow') {
    throw new ProblemError({
      status: 409,
      detail: 'The policy is suspended, which shadow mode would hide.',
      next: 'Activate it without shadow mode, which keeps the suspension, or release the policy first.',
    })
  }
  await policy.suspendFor({ cause: 'shadow', reason: note, by })
}

/** Activating a certificate chooses its promise, but the groups that the config reserves for people stay reserved. */
function refuseActivation({ certified }: CachedCertificate, deferGroups: readonly string[]): void {
  try {
    refuseUndeferredGroups(certified.certificate, deferGroups)
  } catch (error) {
    if (!(error instanceof RunError)) throw error
    throw new ProblemError({ status: 409, detail: `The certificate cannot be activated: ${error.message}.` })
  }
}

/** The review service. The monitor reads each submission immediately. */
function watchedReviews(context: ServiceContext): ReviewService {
  const { tools, watch } = context
  const { store, now, newId, newSalt, claimMs, undoMs, settings, messagesOf } = tools
  const service = createReviewService({
    store,
    now,
    newId,
    newSalt,
    claimMs,
    undoMs,
    maxClaims: settings.maxClaims,
    secondShare: settings.secondShare ?? 0,
    labelOrder: (taskLabels(tools) ?? []).map(([name]) => name),
    evidenceOf: (runId, questionId) => findDebate(context, { runId, questionId }, 'what-is-blind'),
    messagesOf: ({ event, reviewId, at, notBefore, body }) =>
      messagesOf({ event, subject: reviewId, at, notBefore, body: { ...body } }),
  })
  async function reviewed(id: string): Promise<void> {
    const review = await store.reviews.find(id)
    if (review === null) return
    tools.wakeSender()
    await watch.labelled(review.runId, review.questionId)
  }
  return {
    ...service,
    async submit(id, who, submission) {
      const answer = await service.submit(id, who, submission)
      if (answer.kind === 'done') await reviewed(id)
      return answer
    },
    async undo(id, who) {
      const answer = await service.undo(id, who)
      if (answer.kind === 'done') await reviewed(id)
      return answer
    },
  }
}

const POLL_MS = 5000
/** Every minute, reads labels of other processes, such as an import. */
const RELOAD_EVERY = 12
/** Once an hour. */
const UPKEEP_EVERY = 720

/** Reads what other processes changed: they may suspend, release, activate and label too. Also does the hourly upkeep. */
async function keepPolling({ tools, policy, watch, sampler }: ServiceContext): Promise<void> {
  const { sleep, stopping, report } = tools
  for (let poll = 1; !stopping.aborted; poll++) {
    await sleep(POLL_MS, stopping)
    if (stopping.aborted) return
    try {
      await policy.refresh()
      await watch.follow()
      if (poll % RELOAD_EVERY === 0) await watch.reload()
      if (poll % UPKEEP_EVERY === 1) await sampler.retireKeys()
      await watch.catchUp()
      await watch.check()
    } catch (error) {
      report('the monitor could not read the store', error)
    }
    if (poll % UPKEEP_EVERY === 1) await keepSums(tools)
  }
}

/** Sums up the calls of runs, which makes later sums fast. This may take long after many calls, so the monitor comes first. */
async function keepSums({ store, stopping, report }: ServiceTools): Promise<void> {
  try {
    for await (const { id } of allRuns(store)) {
      while (!stopping.aborted && (await store.calls.keepSums(id)));
      if (stopping.aborted) return
    }
  } catch (error) {
    report('the sums of calls could not be stored', error)
  }
}

function isAmong(debates: readonly QuestionKey[]): (debate: QuestionKey) => boolean {
  const keys = new Set(debates.map(({ runId, questionId }) => JSON.stringify([runId, questionId])))
  return ({ runId, questionId }) => keys.has(JSON.stringify([runId, questionId]))
}

import { canonicalJson, type Decision, decide, parseDebate } from '@quorate/certificate'
import type { CertifyAnswer, CertifyInput } from '../../contract/decisions.ts'
import type { DebateSoFar } from '../../debate/debate-record.ts'
import type { ActingBar, BareDebate, Caller, Sampling } from '../../record/decision.ts'
import { withFields } from '../../record/question.ts'
import { isAlwaysReviewed } from '../../record/review-rules.ts'
import { NO_FINDINGS } from '../../run/debate-question.ts'
import { isSeen } from '../../run/deciding.ts'
import { type AnyVerdict, bareDebate, decisionRecord, samplingOf } from '../../run/decision-record.ts'
import { settlementOf } from '../../run/settle.ts'
import { writeQuestion } from '../../run/stored-question.ts'
import { barOf, unlessBarred } from '../../run/suspension.ts'
import type { CertifiedRound, Settled, Settlement } from '../../store/decisions/settlement.ts'
import type { LedgerEntry, Run, StoredDebate } from '../../store/store.ts'
import { callerOf, type Identity, isKeptBlind } from '../access/identity.ts'
import { createRateLimit } from '../access/rate-limit.ts'
import { ProblemError, serverStopping } from '../problem-response.ts'
import type { CachedCertificate } from './certificate-cache.ts'
import {
  certifiedDebate,
  certifiedQuestion,
  type DebateTexts,
  debateTexts,
  isSameDebate,
  readStoredAnswer,
  type StoredAnswer,
} from './certify-input.ts'
import { activeOf, seenProblem } from './decision-service.ts'
import { waitForMonitor } from './monitor/until-assessed.ts'
import { openCertifyRun } from './server-runs.ts'
import type { ServiceContext } from './service-context.ts'
import { withDetail } from './views/deferral-detail.ts'
import { verdictFigures } from './views/verdict-figures.ts'

export type Certify = (input: CertifyInput, who: Identity) => Promise<CertifyAnswer>

/** Limits of refusals per token, for one id and for all ids, so that guessing is slow. */
const REFUSALS_OF_ID = { burst: 10, perMinute: 1 }
const REFUSALS = { burst: 100, perMinute: 60 }

/** Decides the rounds so far of a caller's debate. They are stored and added to the ledger before the answer is sent. */
export function createCertify(context: ServiceContext): Certify {
  const runs = new Map<string, Promise<Run>>()
  const refusals = createRefusals(context.tools.now)

  function runOf({ certified }: CachedCertificate, { name, kind, isLocal }: Identity): Promise<Run> {
    const key = canonicalJson([certified.id, name, kind, isLocal])
    const known = runs.get(key) ?? openCertifyRun(context.tools, certified, { name, kind, isLocal })
    runs.set(key, known)
    known.catch(() => runs.delete(key))
    return known
  }

  return async (input, who) => {
    if (context.tools.stopping.aborted) throw serverStopping()
    const certificateId = input.certificate ?? activeOf(context)
    const cached = context.certificates.known(certificateId) ?? (await context.certificates.open(certificateId))
    if (cached === null) throw unknownCertificate()
    if (!(await context.policy.wasActivated(certificateId))) throw neverActivated(certificateId)
    const run = await runOf(cached, who)
    const debate = certifiedDebate(input)
    const { fields } = input
    const asked = { run, cached, debate, fields, caller: callerOf(who), ...debateTexts(debate, fields) }
    // Checked before anything is compared, so that a right guess has to wait as long as a wrong one.
    refusals.check(run, debate.id)
    // A first round is usually new. If it is not, the store reports it.
    const known =
      debate.rounds.length === 1 ? [] : await context.tools.store.decisions.certifiedRounds(run.id, debate.id)
    const answer = await answerTo(context, asked, known)
    if (answer === 'other-debate') throw refusals.refuse(run, debate.id)
    // A person who posts a debate knows the answers of its panel.
    if (isKeptBlind(who))
      await context.tools.store.reviews.sawPanel({ runId: run.id, questionId: debate.id, reviewer: who.name })
    return { ...answer, runId: run.id, claim: [...cached.claim] }
  }
}

function createRefusals(now: () => number) {
  const [ofId, ofRun] = [createRateLimit(REFUSALS_OF_ID), createRateLimit(REFUSALS)]
  const keyOf = ({ id }: Run, questionId: string) => `${id} ${questionId}`
  return {
    check(run: Run, questionId: string): void {
      const seconds = ofRun.wait(run.id, now()) ?? ofId.wait(keyOf(run, questionId), now())
      if (seconds === null) return
      const detail = `Too many posts were refused with 409: try again in ${seconds} s.`
      throw new ProblemError({ status: 429, detail, retryAfterSeconds: seconds })
    },
    /** The message is the same whatever differs, and even if nothing is left to compare with. */
    refuse(run: Run, questionId: string): ProblemError {
      ofRun.take(run.id, now())
      ofId.take(keyOf(run, questionId), now())
      const detail = `The id ${JSON.stringify(questionId)} was used for another debate, or its text was erased.`
      const errors = [{ field: 'id', expected: 'a new id, or one with the same debate as before' }]
      return new ProblemError({ status: 409, detail, errors })
    },
  }
}

interface AskedCertify extends DebateTexts {
  readonly run: Run
  readonly cached: CachedCertificate
  readonly debate: DebateSoFar
  readonly fields: CertifyInput['fields']
  readonly caller: Caller
}

type RoundAnswer = StoredAnswer['answer']

function unknownCertificate(): ProblemError {
  const errors = [{ field: 'certificate', expected: 'the id of a certificate of this store' }]
  return new ProblemError({ status: 422, detail: 'There is no such certificate.', errors })
}

/** The request is refused instead of decided in shadow mode, because a program that acts on answers may ignore `isShadow`. */
function neverActivated(id: string): ProblemError {
  return new ProblemError({
    status: 409,
    detail: `Nobody has ever activated the certificate ${id}, so it may not decide.`,
    next: `Activate it (POST /v1/certificates/${id}/activate, as an admin), or leave the field out to use the active one.`,
    errors: [{ field: 'certificate', expected: 'the id of a certificate that a person has activated' }],
  })
}

/** All known rounds of the question must belong to the same debate. */
async function answerTo(
  context: ServiceContext,
  asked: AskedCertify,
  known: readonly CertifiedRound[],
): Promise<RoundAnswer | 'other-debate'> {
  const { digests } = asked
  const earlier = known.map(readStoredAnswer)
  // An erased debate cannot be compared, so it counts as another one.
  if (!earlier.every((other) => other.digests !== null && isSameDebate(digests, other.digests))) return 'other-debate'
  const repeated = earlier.find((other) => other.digests?.length === digests.length)
  if (repeated !== undefined) return repeated.answer
  // A decision is final: other rounds are only stored.
  const decided = earlier.find(({ answer }) => answer.kind !== 'continue')
  const written =
    decided === undefined
      ? await write(context, { ...asked, earlier })
      : await storeRound(context, { ...asked, earlier }, decided.answer)
  // A concurrent request added rounds. The recursion ends, because a debate has a limited number of rounds.
  return 'known' in written ? answerTo(context, asked, written.known) : written.answer
}

interface KnownAsked extends AskedCertify {
  /** Stored answers to the same debate, ordered by round. */
  readonly earlier: readonly StoredAnswer[]
}

type CertifyOutcome = { readonly answer: RoundAnswer } | { readonly known: readonly CertifiedRound[] }

interface JudgedDebate {
  readonly decisionId: string
  readonly verdict: AnyVerdict
  readonly isSpotCheck: boolean
  readonly sampling: Sampling | null
  readonly isSeen: boolean
  /** Whether the monitor counts it if it is new. */
  readonly isCounted: boolean
  readonly question: string
}

async function judge(
  context: ServiceContext,
  { run, cached, debate, fields, earlier }: KnownAsked,
  knownBar: ActingBar | null,
): Promise<JudgedDebate> {
  const { tools, policy, sampler } = context
  const [before] = earlier
  const { certified } = cached
  const asked = withFields(certifiedQuestion(debate), fields)
  const question = writeQuestion(asked)
  const hasText = debate.question !== ''
  const seen = isSeen(certified, { questionId: debate.id, question: hasText ? question : null })
  if (seen && !tools.allowSeen) throw seenProblem('id')
  const isRuled = isAlwaysReviewed(tools.settings.declared?.alwaysReview, asked)
  const found: Decision = decide(certified.certificate, debate)
  const decision: AnyVerdict = isRuled ? { kind: 'defer', reason: 'always-review', path: found.path } : found
  const couldAct = decision.kind === 'act' && (knownBar ?? policy.bar()) === null
  if (couldAct) await waitForMonitor(context)
  const bar = knownBar ?? policy.bar()
  // Sampled only once, because the key and the rate may have changed since.
  const known = before === undefined ? null : await tools.store.runs.findQuestion(run.id, debate.id)
  const sampled = known ?? (await sampler.sample(run.id, debate.id))
  return {
    decisionId: before?.answer.decisionId ?? tools.newId(),
    verdict: barredVerdict(decision, bar),
    isSpotCheck: sampled.isSpotCheck,
    sampling: samplingOf(sampled),
    isSeen: seen,
    isCounted: !seen && bar === null,
    question,
  }
}

/** While the policy is suspended, no further round is needed. */
function barredVerdict(decision: AnyVerdict, bar: ActingBar | null): AnyVerdict {
  if (decision.kind !== 'continue') return unlessBarred(decision, bar)
  return bar === 'suspended' ? { kind: 'defer', reason: 'suspended', path: decision.path } : decision
}

/** `knownBar`: what the store reported. Without it, the state that this process knows applies. */
async function write(
  context: ServiceContext,
  asked: KnownAsked,
  knownBar: ActingBar | null = null,
): Promise<CertifyOutcome> {
  const { tools, watch } = context
  const { run, cached, debate, earlier } = asked
  const judged = await judge(context, asked, knownBar)
  const { verdict, decisionId, isSpotCheck } = judged
  const answer: RoundAnswer = {
    ...figuresWithDetail(verdict, asked),
    decisionId,
    id: debate.id,
    certificate: cached.certified.id,
    isSpotCheck,
    isShadow: run.isShadow,
    isHidden: false,
    comparedBy: comparedBy(asked),
    turns: turnsOf(asked),
  }
  const settlement = settlementFor(context, asked, judged, answer, tools.now())
  const settled: Settled = await tools.store.decisions.settle({ ...settlement, knownRounds: earlier.length })
  if (settled.kind === 'known') return { known: settled.certified }
  // Another process has suspended the policy, and this one has not read that yet.
  if (settled.kind === 'suspended') return write(context, asked, barOf(settled.suspension))
  if ((settlement.messages ?? []).length > 0) tools.wakeSender()
  const about = { runId: run.id, questionId: debate.id, certificateId: cached.certified.id }
  watch.score({ ...about, arrival: settled.arrival }, debate)
  if (verdict.kind === 'continue') return { answer }
  const { kind, reason } = answer
  watch.settled({ ...about, isSpotCheck, reason: kind === 'act' ? null : reason })
  return { answer }
}

function figuresWithDetail(verdict: AnyVerdict, { cached, debate }: AskedCertify) {
  const { threshold, fingerprint } = cached.certified.certificate
  const agents = debate.rounds.map((turns) => turns.map(({ agent }) => agent))
  return withDetail(verdictFigures(verdict, threshold), { fingerprint, agents, mismatch: [], failure: null })
}

/** Read with the certificate's elicitation. A certificate from bare states has none, and decides no debate. */
function turnsOf({ debate, cached }: AskedCertify): RoundAnswer['turns'] {
  const { panel } = cached.certified.certificate
  return parseDebate(debate, panel === null ? {} : { elicitation: panel.elicitation }).turns
}

/** How the question was compared with those of the calibration. */
function comparedBy({ debate, cached }: AskedCertify): RoundAnswer['comparedBy'] {
  const { whole, bare } = cached.certified.contents
  return debate.question !== '' && whole.size + bare.size > 0 ? 'text' : 'id'
}

function settlementFor(
  context: ServiceContext,
  asked: AskedCertify,
  judged: JudgedDebate,
  answer: RoundAnswer,
  at: number,
): Settlement {
  const { run, cached, debate, caller } = asked
  const { verdict, decisionId, isSpotCheck, sampling, question } = judged
  const stored = storedDebate(asked, at)
  const { spotCheckRate } = context.tools.settings
  const counted = judged.isCounted ? { spotCheckRate, at } : null
  const common = {
    question: { questionId: debate.id, question, isSpotCheck, ...columnsOf(sampling), counted },
    certified: certifiedRound(asked, answer, at),
  }
  if (verdict.kind === 'continue') {
    return { ...common, decision: null, debate: stored, entry: continueEntry(asked, answer, at) }
  }
  const record = decisionRecord(verdict, debate, {
    id: decisionId,
    runId: run.id,
    certificateId: cached.certified.id,
    at,
    isSpotCheck,
    sampling,
    isShadow: run.isShadow,
    isSeen: judged.isSeen,
    ...NO_FINDINGS,
    caller,
    rounds: verdict.kind === 'act' ? verdict.round : debate.rounds.length,
  })
  return { ...common, ...settlementOf(context.tools, { record, debate, stored }) }
}

function columnsOf(sampling: Sampling | null) {
  return { samplingKey: sampling?.key ?? null, samplingRate: sampling?.rate ?? null }
}

function storedDebate({ run, debate, text }: AskedCertify, at: number): StoredDebate {
  const { id: questionId, group, rounds } = debate
  return {
    runId: run.id,
    questionId,
    group,
    at,
    status: 'done',
    debate: text,
    rounds: rounds.length,
  }
}

function certifiedRound({ run, debate, digests }: AskedCertify, answer: RoundAnswer, at: number): CertifiedRound {
  const { decisionId } = answer
  const place = { runId: run.id, questionId: debate.id, round: debate.rounds.length }
  return { ...place, decisionId, digests: JSON.stringify(digests), result: JSON.stringify(answer), at }
}

/** The entry for a round that does not decide, without its texts. */
function continueEntry({ run, debate, caller }: AskedCertify, answer: RoundAnswer, at: number): LedgerEntry {
  const { decisionId, certificate: certificateId, kind, path, isSpotCheck } = answer
  const bare: BareDebate = bareDebate(debate, debate.rounds.length)
  const body = {
    quorate: 1,
    decisionId,
    questionId: debate.id,
    certificateId,
    kind,
    path,
    isSpotCheck,
    caller,
    debate: bare,
  }
  return { runId: run.id, kind: 'round-certified', at, body, texts: [] }
}

/** Stores a round of a decided debate, adds it to the ledger, and repeats the answer. */
async function storeRound(context: ServiceContext, asked: KnownAsked, decided: RoundAnswer): Promise<CertifyOutcome> {
  const at = context.tools.now()
  const settled = await context.tools.store.decisions.settle({
    decision: null,
    debate: storedDebate(asked, at),
    entry: continueEntry(asked, decided, at),
    certified: certifiedRound(asked, decided, at),
    knownRounds: asked.earlier.length,
  })
  return settled.kind === 'known' ? { known: settled.certified } : { answer: decided }
}

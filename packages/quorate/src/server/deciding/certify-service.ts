import { type Decision, decide } from '@quorate/certificate'
import type { CertifyInput } from '../../contract/debate-input.ts'
import type { CertifyAnswer } from '../../contract/decisions.ts'
import type { DebateSoFar } from '../../debate/debate-record.ts'
import { isSeen } from '../../runs/deciding.ts'
import { type BareDebate, bareDebate, decisionRecord } from '../../runs/decision-record.ts'
import { heldBack } from '../../runs/policy-hold.ts'
import { writeQuestion } from '../../runs/stored-question.ts'
import { isDrawn } from '../../runs/take-in.ts'
import type { Certified as CertifiedRound, Settled, Settlement } from '../../store/settlement.ts'
import type { LedgerEntry, Run, StoredDebate } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'
import { ProblemError } from '../problem-response.ts'
import type { Shelved } from './certificate-shelf.ts'
import {
  certifiedDebate,
  certifiedQuestion,
  contentOf,
  debateText,
  type KeptAnswer,
  readKept,
} from './certify-input.ts'
import { activeOf, differencesOf, seenProblem } from './decision-service.ts'
import type { Deck } from './deck.ts'
import { openCertifyRun } from './server-runs.ts'
import { settlementOf } from './settle.ts'
import { type AnyVerdict, readRecord, recordFigures, verdictFigures } from './verdict-figures.ts'

export type Certify = (input: CertifyInput) => Promise<CertifyAnswer>

/** Decides the rounds so far of a debate that somebody else holds; stored and chained before it is answered. */
export function createCertify(deck: Deck): Certify {
  const runs = new Map<string, Promise<Run>>()

  function runOf({ certified }: Shelved): Promise<Run> {
    const known = runs.get(certified.id) ?? openCertifyRun(deck.tools, certified)
    runs.set(certified.id, known)
    known.catch(() => runs.delete(certified.id))
    return known
  }

  return async (input) => {
    if (deck.tools.stopping.aborted) throw new ProblemError({ status: 503, detail: 'the server is ending' })
    const certificateId = input.certificate ?? activeOf(deck)
    const shelved = deck.shelf.known(certificateId) ?? (await deck.shelf.open(certificateId))
    if (shelved === null) throw unknownCertificate()
    const run = await runOf(shelved)
    const debate = certifiedDebate(input)
    const text = debateText(debate)
    const before = debate.rounds.length === 1 ? null : await roundBefore(deck, run, debate)
    const asked = { run, shelved, debate, text, content: contentOf(text), before }
    return { ...(await answerTo(deck, asked)), claim: [...shelved.claim] }
  }
}

interface Asked {
  readonly run: Run
  readonly shelved: Shelved
  readonly debate: DebateSoFar
  /** As it is stored. */
  readonly text: string
  readonly content: string
  /** What was answered one round ago, if that was asked. */
  readonly before: Answer | null
}

type Answer = KeptAnswer['answer']

function unknownCertificate(): ProblemError {
  const errors = [{ field: 'certificate', expected: 'the id of a certificate of this store' }]
  return new ProblemError({ status: 422, detail: 'there is no such certificate', errors })
}

async function roundBefore({ tools }: Deck, run: Run, debate: DebateSoFar): Promise<Answer | null> {
  const held = debate.rounds.length - 1
  const stored = await tools.store.decisions.findCertified(run.id, debate.id, held)
  if (stored === null) return null
  const { content, answer } = readKept(stored.result)
  if (content === contentOf(debateText({ ...debate, rounds: debate.rounds.slice(0, held) }))) return answer
  throw await otherContent({ tools }, run, debate)
}

/** The id was used before for something else: what differs is named. */
async function otherContent({ tools }: Pick<Deck, 'tools'>, run: Run, debate: DebateSoFar): Promise<ProblemError> {
  const known = await tools.store.runs.findQuestion(run.id, debate.id)
  const fields = known === null ? [] : differencesOf(known, certifiedQuestion(debate))
  const errors = fields.length > 0 ? fields : [{ field: 'rounds', expected: 'the same as before under this id' }]
  const detail = `the id ${JSON.stringify(debate.id)} was used before with other content`
  return new ProblemError({ status: 409, detail, errors })
}

async function answerTo(deck: Deck, asked: Asked): Promise<Answer> {
  const { before, run, debate } = asked
  // Once it is decided it stays decided: later rounds of a spot check are only kept.
  if (before !== null && before.kind !== 'continue') return keep(deck, asked, before)
  const judged = judge(deck, asked)
  try {
    return await write(deck, asked, judged)
  } catch (error) {
    if (!(error instanceof StoreError && error.kind === 'exists')) throw error
    const decided = await decidedAnswer(deck, asked)
    if (decided === null) throw error
    const again = await deck.tools.store.decisions.findCertified(run.id, debate.id, debate.rounds.length)
    if (again !== null) return repeated(deck, asked, again)
    return keep(deck, asked, decided)
  }
}

interface Judged {
  readonly decisionId: string
  readonly verdict: AnyVerdict
  readonly isDrawn: boolean
  readonly isSeen: boolean
  /** Whether the monitor counts it, if it is new. */
  readonly isCounted: boolean
  readonly question: string
}

function judge({ tools, policy }: Deck, { run, shelved, debate, before }: Asked): Judged {
  const { certified } = shelved
  const question = writeQuestion(certifiedQuestion(debate))
  const hasText = debate.question !== ''
  const seen = isSeen(certified, { questionId: debate.id, question: hasText ? question : null })
  if (seen && !tools.allowSeen) throw seenProblem('id')
  const decision: Decision = decide(certified.certificate, debate)
  const isHeld = policy.isHeld()
  return {
    decisionId: before?.decisionId ?? tools.newId(),
    verdict: held(decision, isHeld),
    isDrawn: isDrawn(debate.id, { runId: run.id, seed: run.seed, spotCheckRate: tools.settings.spotCheckRate }),
    isSeen: seen,
    isCounted: !seen && !isHeld,
    question,
  }
}

/** While the policy is held there is nothing to debate on for. */
function held(decision: Decision, isHeld: boolean): AnyVerdict {
  if (decision.kind !== 'continue') return heldBack(decision, isHeld)
  return isHeld ? { kind: 'defer', reason: 'held', path: decision.path } : decision
}

async function write(deck: Deck, asked: Asked, judged: Judged): Promise<Answer> {
  const { tools, watch } = deck
  const { run, shelved, debate } = asked
  const { verdict, decisionId, isDrawn: drawn } = judged
  const answer: Answer = {
    ...verdictFigures(verdict, shelved.certified.certificate.threshold),
    ...{ decisionId, id: debate.id, certificate: shelved.certified.id, isDrawn: drawn, isShadow: run.isShadow },
  }
  const at = tools.now()
  const settlement = settlementFor(deck, asked, { judged, answer, at })
  const settled: Settled = await tools.store.decisions.settle(settlement)
  if (settled.kind === 'repeated') return repeated(deck, asked, settled.certified)
  if ((settlement.messages ?? []).length > 0) tools.wakeCourier()
  const about = { runId: run.id, questionId: debate.id, certificateId: shelved.certified.id }
  watch.score({ ...about, arrival: settled.arrival }, debate)
  if (verdict.kind === 'continue') return answer
  const { kind, reason } = answer
  watch.settled({ ...about, isDrawn: drawn, reason: kind === 'act' ? null : reason })
  return answer
}

interface Written {
  readonly judged: Judged
  readonly answer: Answer
  readonly at: number
}

function settlementFor(deck: Deck, asked: Asked, { judged, answer, at }: Written): Settlement {
  const { run, shelved, debate, content } = asked
  const { verdict, decisionId, isDrawn: drawn, question } = judged
  const stored = storedDebate(asked, at)
  const { spotCheckRate } = deck.tools.settings
  const counted = judged.isCounted ? { spotCheckRate, at } : null
  const common = {
    question: { questionId: debate.id, question, isDrawn: drawn, counted },
    certified: certifiedRound(asked, { content, answer }, at),
  }
  if (verdict.kind === 'continue') {
    return { ...common, decision: null, debate: stored, entry: continueEntry(asked, answer, at) }
  }
  const record = decisionRecord(verdict, debate, {
    ...{ id: decisionId, runId: run.id, certificateId: shelved.certified.id, at, isDrawn: drawn },
    ...{ isShadow: run.isShadow, isSeen: judged.isSeen, mismatch: [] },
    rounds: verdict.kind === 'act' ? verdict.round : debate.rounds.length,
  })
  return { ...common, ...settlementOf(deck.tools, { record, debate, stored }) }
}

function storedDebate({ run, debate, text }: Asked, at: number): StoredDebate {
  const { id: questionId, group, rounds } = debate
  return {
    ...{ runId: run.id, questionId, group, at, status: 'done' },
    debate: text,
    rounds: rounds.length,
  }
}

function certifiedRound({ run, debate }: Asked, kept: KeptAnswer, at: number): CertifiedRound {
  const { decisionId } = kept.answer
  const place = { runId: run.id, questionId: debate.id, round: debate.rounds.length }
  return { ...place, decisionId, result: JSON.stringify(kept), at }
}

/** A round that decided nothing yet, without its texts. */
function continueEntry({ run, debate }: Asked, answer: Answer, at: number): LedgerEntry {
  const { decisionId, certificate: certificateId, kind, path, isDrawn: drawn } = answer
  const bare: BareDebate = bareDebate(debate, debate.rounds.length)
  const body = {
    quorate: 1,
    decisionId,
    questionId: debate.id,
    certificateId,
    kind,
    path,
    isDrawn: drawn,
    debate: bare,
  }
  return { runId: run.id, kind: 'certified', at, body, texts: [] }
}

/** More rounds of a debate that is decided: stored and chained, and answered as before. */
async function keep(deck: Deck, asked: Asked, decided: Answer): Promise<Answer> {
  const { content } = asked
  const at = deck.tools.now()
  const settled = await deck.tools.store.decisions.settle({
    decision: null,
    debate: storedDebate(asked, at),
    entry: continueEntry(asked, decided, at),
    certified: certifiedRound(asked, { content, answer: decided }, at),
  })
  return settled.kind === 'repeated' ? repeated(deck, asked, settled.certified) : decided
}

async function repeated(deck: Deck, { run, debate, content }: Asked, stored: CertifiedRound): Promise<Answer> {
  const kept = readKept(stored.result)
  if (kept.content === content) return kept.answer
  throw await otherContent(deck, run, debate)
}

/** Of a question that was decided in a round that the caller does not go on from. */
async function decidedAnswer({ tools }: Deck, { run, shelved, debate }: Asked): Promise<Answer | null> {
  const stored = await tools.store.decisions.find(run.id, debate.id)
  if (stored === null) return null
  const record = readRecord(stored)
  const { certificate, id } = shelved.certified
  return {
    ...recordFigures(record, certificate.threshold),
    ...{ decisionId: stored.id, id: debate.id, certificate: id, isDrawn: record.isDrawn, isShadow: record.isShadow },
  }
}

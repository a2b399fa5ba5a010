import { z } from 'zod'
import { isBarred } from '../../record/decision.ts'
import type { QuestionKey } from '../../record/question.ts'
import { StoreError } from '../../record/store-error.ts'
import { checkedLimit } from '../checked-input.ts'
import type { Engine } from '../engine.ts'
import { gathered } from '../gathered.ts'
import { affectedBy, rowOf, rowsOf, runAll, type Steps, together } from '../operation.ts'
import { insertMessages } from '../outbox-store.ts'
import { insertFirstReviews, insertReview, sourcesBefore } from '../reviews/review-row.ts'
import { addNewQuestions, addQuestion, lockPlacesOf } from '../runs/arrivals.ts'
import { erasedDebate, insertDebates, listDecision, writeDebate } from '../runs/debate-store.ts'
import { missingQuestion } from '../runs/run-rows.ts'
import { admitResult } from '../runs/write-admission.ts'
import { flag } from '../schema.ts'
import type { DecisionStore, NewQuestion, StoredDebate, StoredDecision } from '../store.ts'
import { certifiedSchema, countSchema, decisionRow, prepared, rowOfDecision } from './decision-rows.ts'
import { appendEntries, appendEntry, erasedEntry } from './ledger-store.ts'
import { countedBefore, countNew, recount } from './monitor-store.ts'
import { suspensionOfAction } from './policy-store.ts'
import type { CertifiedRound, Settled, Settlement } from './settlement.ts'

export function createDecisionStore(engine: Engine): DecisionStore {
  const settleNewOf = settledTogether(engine)
  const ofRun = (runId: string) => engine.queries.selectFrom('decisions').selectAll().where('runId', '=', runId)
  return {
    settle: async (settlement) => {
      const checked = checkedSettlement(settlement)
      const settled = isNew(checked) ? await settleNewOf(checked.debate.runId)(checked) : 'alone'
      return settled === 'alone' ? engine.write(() => settle(engine, checked), 'by-key') : settled
    },
    certifiedRounds: (runId, questionId) => engine.read(() => readCertifiedRounds(engine, { runId, questionId })),
    findById: (id) =>
      engine.read(() => rowOf(engine.queries.selectFrom('decisions').selectAll().where('id', '=', id), decisionRow)),
    find: (runId, questionId) =>
      engine.read(() => rowOf(ofRun(runId).where('questionId', '=', questionId), decisionRow)),
    async ofQuestions({ questionIds, certificateId }) {
      if (questionIds.length === 0) return []
      const query = engine.queries
        .selectFrom('decisions')
        .selectAll()
        .where('questionId', 'in', questionIds)
        .where('isShadow', '=', flag(false))
      const filtered = certificateId === undefined ? query : query.where('certificateId', '=', certificateId)
      return engine.read(() => rowsOf(filtered.orderBy('id'), decisionRow))
    },
    counts: (runId) => {
      const counted = engine.queries
        .selectFrom('decisions')
        .select(({ fn }) => ['kind', 'reason', fn.countAll().as('count')])
      return engine.read(() => rowsOf(counted.where('runId', '=', runId).groupBy(['kind', 'reason']), countSchema))
    },
    list: async (runId, { after, limit }) => {
      const query = after === null ? ofRun(runId) : ofRun(runId).where('id', '>', after)
      return engine.read(() => rowsOf(query.orderBy('id').limit(checkedLimit(limit)), decisionRow))
    },
  }
}

function checkedSettlement(settlement: Settlement): Settlement {
  const { debate, entry, decision, question, certified, review } = settlement
  const parts = [decision, question, certified, review].filter((part) => part !== null && part !== undefined)
  const isSame = parts.every(
    (part) => part.questionId === debate.questionId && (!('runId' in part) || part.runId === debate.runId),
  )
  if (isSame && entry.runId === debate.runId) return settlement
  throw new StoreError(
    'invalid',
    `store: question ${JSON.stringify(debate.questionId)}: its decision, its debate or its entry is of another run or question`,
  )
}

/** Appends to the ledger last, because other writers of the same chain wait from there to the commit. */
function* settle(engine: Engine, settlement: Settlement): Steps<Settled> {
  const { question, decision, debate, entry, certified, knownRounds = 0, messages = [], fence } = settlement
  const { review, retracts = null } = settlement
  if (decision?.kind === 'act' && !decision.isShadow) {
    const { certificateId } = decision
    const { isOperatorsChoice = false } = settlement
    const suspension = yield* suspensionOfAction(engine, { certificateId, isOperatorsChoice })
    if (suspension !== null) return { kind: 'suspended', suspension }
  }
  const added = question === undefined ? null : yield* addQuestion(engine, debate.runId, question)
  // A question that this commit adds cannot be leased or erased.
  const isNew = added?.kind === 'added' && fence === undefined
  const { isErased } = isNew
    ? { isErased: added.question.question === null }
    : yield* admitResult(engine, debate, fence)
  const known = certified === undefined || added?.kind === 'added' ? [] : yield* readCertifiedRounds(engine, debate)
  if (known.length !== knownRounds) return { kind: 'known', certified: known }
  if (certified !== undefined) {
    const digests = isErased ? null : certified.digests
    yield* runAll([prepared(engine).certified({ ...certified, digests })])
  }
  const before = added?.kind === 'added' ? null : yield* countedBefore(engine, debate)
  if (decision !== null) yield* settleStatus(engine, debate)
  if (isBarred(decision?.reason)) yield* runAll([prepared(engine).uncount(debate)])
  // Rounds that arrive late are already part of the longer debate that is stored.
  const longest = Math.max(0, ...known.map(({ round }) => round))
  if (debate.rounds >= longest) yield* writeDebate(engine, isErased ? erasedDebate(debate) : debate, decision)
  else if (decision !== null) yield* listDecision(engine, decision)
  if (decision !== null) yield* writeDecision(engine, decision)
  if (retracts !== null) yield* retractWaiting(engine, retracts)
  if (review !== undefined && review !== null) yield* insertReview(engine, review)
  yield* insertMessages(engine, messages)
  const now = decision ?? before
  yield* recount(engine, before, now && { ...now, rounds: Math.max(debate.rounds, longest) })
  const row = yield* appendEntry(engine, isErased ? erasedEntry(entry) : entry)
  return { kind: 'settled', row, arrival: added?.arrival ?? null }
}

function retractWaiting({ queries }: Engine, id: string): Steps<number> {
  const item = queries.updateTable('reviews').where('id', '=', id).where('status', '=', 'waiting')
  return affectedBy(item.set({ status: 'retracted', queue: null }))
}

/** A settlement of a question that is probably new, like most certified ones. Only the transaction can tell whether it is. */
interface NewSettlement extends Settlement {
  readonly question: NewQuestion
  readonly certified: CertifiedRound
}

function isNew(settlement: Settlement): settlement is NewSettlement {
  const { question, certified, knownRounds = 0, retracts = null, fence } = settlement
  const hasText = question !== undefined && question.question !== null
  return hasText && certified !== undefined && knownRounds === 0 && retracts === null && fence === undefined
}

/** The most settlements of one commit. More would make others wait too long for the same locks. */
const MOST_TOGETHER = 128

/**
 * Settlements of new questions that arrive while a commit of the same run is in progress share the next commit. Single commits
 * would wait for each other, because all of them extend the same ledger chain. If the commit fails, each is settled alone.
 * `alone`: the run already has the question, and nothing was written about it.
 */
function settledTogether(engine: Engine) {
  const ofRun = new Map<string, (settlement: NewSettlement) => Promise<Settled | 'alone'>>()
  return (runId: string) => {
    const known =
      ofRun.get(runId) ??
      gathered<NewSettlement, Settled | 'alone'>({
        most: MOST_TOGETHER,
        atOnce: 1,
        later: setImmediate,
        run: async (settlements) => {
          const [first, ...others] = settlements
          if (first === undefined || others.length > 0)
            return engine.write(() => settleNew(engine, runId, settlements), 'by-key')
          return [await engine.write(() => settle(engine, first), 'by-key')]
        },
      })
    ofRun.set(runId, known)
    return known
  }
}

/** Locks and writes in the order of `settle`, with one statement for all settlements each. */
function* settleNew(
  engine: Engine,
  runId: string,
  settlements: readonly NewSettlement[],
): Steps<readonly (Settled | 'alone')[]> {
  const [suspended, places, sources] = yield* together(
    suspendedActions(engine, settlements),
    lockPlacesOf(
      engine,
      runId,
      settlements.map(({ debate }) => debate.questionId),
    ),
    sourcesBefore(
      engine,
      settlements.flatMap(({ review }) => review ?? []),
    ),
  )
  const ids = new Set(places.known)
  const added = settlements.filter((settlement) => {
    const { questionId } = settlement.debate
    if (suspended.has(settlement) || ids.has(questionId)) return false
    ids.add(questionId)
    return true
  })
  const rows = added.map(({ question, decision, debate }) => ({
    question,
    status: decision === null ? ('pending' as const) : debate.status,
    isSuspended: isBarred(decision?.reason),
  }))
  const arrivals = yield* addNewQuestions(engine, runId, rows, places)
  yield* runAll(prepared(engine).certifiedRows(added.map(({ certified }) => ({ ...certified }))))
  yield* insertDebates(engine, added)
  const decided = added.flatMap(({ decision, debate }) => (decision === null ? [] : [{ ...decision, debate }]))
  yield* runAll(prepared(engine).decisions(decided.map(({ debate: _, ...decision }) => rowOfDecision(decision))))
  yield* insertFirstReviews(
    engine,
    added.flatMap(({ review }) => review ?? []),
    sources,
  )
  yield* insertMessages(
    engine,
    added.flatMap(({ messages = [] }) => messages),
  )
  yield* countNew(
    engine,
    decided.map(({ debate, ...decision }) => ({ ...decision, rounds: debate.rounds })),
  )
  const chained = yield* appendEntries(
    engine,
    runId,
    added.map(({ entry }) => entry),
  )
  const settled = new Map<NewSettlement, Settled>(
    added.map((settlement, at) => [
      settlement,
      {
        kind: 'settled',
        row: chained[at] ?? null,
        arrival: arrivals.get(settlement.debate.questionId)?.arrival ?? null,
      },
    ]),
  )
  return settlements.map((settlement) => suspended.get(settlement) ?? settled.get(settlement) ?? 'alone')
}

/** The actions that a suspension of the policy forbids. */
function* suspendedActions(
  engine: Engine,
  settlements: readonly NewSettlement[],
): Steps<ReadonlyMap<NewSettlement, Settled>> {
  const suspended = new Map<NewSettlement, Settled>()
  const allowed = new Set<string>()
  for (const settlement of settlements) {
    const { decision, isOperatorsChoice = false } = settlement
    if (decision?.kind !== 'act' || decision.isShadow) continue
    const { certificateId } = decision
    const key = JSON.stringify([certificateId, isOperatorsChoice])
    if (allowed.has(key)) continue
    const suspension = yield* suspensionOfAction(engine, { certificateId, isOperatorsChoice })
    if (suspension === null) allowed.add(key)
    else suspended.set(settlement, { kind: 'suspended', suspension })
  }
  return suspended
}

function readCertifiedRounds(engine: Engine, { runId, questionId }: QuestionKey): Steps<readonly CertifiedRound[]> {
  return rowsOf(prepared(engine).certifiedRounds({ runId, questionId }), certifiedSchema)
}

/** The condition is part of the statement, so of two processes that decide the same question only the first succeeds. */
function* settleStatus(engine: Engine, { runId, questionId, status }: StoredDebate): Steps<void> {
  const { queries } = engine
  const ofQuestion = prepared(engine).settle({ runId, questionId, status })
  if ((yield* affectedBy(ofQuestion)) > 0) return
  const found = yield* rowsOf(
    queries.selectFrom('runQuestions').select('status').where('runId', '=', runId).where('questionId', '=', questionId),
    z.object({ status: z.string() }),
  )
  if (found.length === 0) throw missingQuestion(runId, questionId)
  throw new StoreError('exists', `store: run ${runId}: the question ${JSON.stringify(questionId)} is decided`)
}

function writeDecision(engine: Engine, decision: StoredDecision): Steps<void> {
  return runAll([prepared(engine).decision(rowOfDecision(decision))])
}

import { isSeen } from '../../runs/deciding.ts'
import { decisionRecord, reviewOf } from '../../runs/decision-record.ts'
import type { Held, Verdict } from '../../runs/hold-question.ts'
import { heldBack, heldJob } from '../../runs/policy-hold.ts'
import type { Job } from '../../runs/run-job.ts'
import { debatesAtOnce, holdOne } from '../../runs/run-questions.ts'
import type { Settled } from '../../runs/settle-question.ts'
import type { Deck } from './deck.ts'
import { withDetail } from './deferral-detail.ts'
import type { Arrived } from './monitor-watch.ts'
import { type PendingQuestion, pendingView, tell } from './pending-question.ts'
import { settlementOf } from './settle.ts'
import { verdictFigures } from './verdict-figures.ts'

/** Where accepted questions are debated, some at a time, oldest first. */
export interface DebateFloor {
  add(question: PendingQuestion): void
  find(id: string): PendingQuestion | null
  /** Resolves when nothing is being debated any more; nothing is begun after the tools said `stopping`. */
  idle(): Promise<void>
}

export function createFloor(deck: Deck): DebateFloor {
  const { stopping, report } = deck.tools
  const known = new Map<string, PendingQuestion>()
  const waiting: PendingQuestion[] = []
  const running = new Set<Promise<void>>()

  function begin(): void {
    while (!stopping.aborted) {
      const [next] = waiting
      if (next === undefined || running.size >= debatesAtOnce(next.job)) return
      waiting.shift()
      const work = debate(next).finally(() => {
        running.delete(work)
        begin()
      })
      running.add(work)
    }
  }

  async function debate(question: PendingQuestion): Promise<void> {
    question.status = 'running'
    tell(question)
    try {
      const ended = await debateOne(deck, question)
      if (ended === 'decided') known.delete(question.id)
      else question.status = ended
    } catch (error) {
      // It stays pending in the store: whoever goes on with the run asks again.
      question.status = 'failed'
      deck.watch.score(arrivedAs(question), null)
      report(`decision ${question.id} could not be made`, error)
    }
    tell(question)
  }

  return {
    add(question) {
      known.set(question.id, question)
      waiting.push(question)
      begin()
    },
    find: (id) => known.get(id) ?? null,
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** `pending`: it was interrupted, and whoever goes on with the run asks again. */
async function debateOne(deck: Deck, question: PendingQuestion): Promise<'decided' | 'pending' | 'failed'> {
  const { policy, watch } = deck
  const { row } = question
  const job = heldJob(question.job, policy.isHeld())
  const ended = await holdOne(job, row, {
    tell(debate, decision) {
      question.rounds = debate.rounds.length
      if (question.rounds === 1) watch.score(arrivedAs(question), debate)
      const verdict = decision.kind === 'continue' ? decision : heldBack(decision, policy.isHeld())
      question.figures.push(verdictFigures(verdict, thresholdOf(job)))
      tell(question)
    },
    settle: (_, held) => settle(deck, question, held),
  })
  if (ended.kind === 'held') return ended.status === 'error' ? 'failed' : 'decided'
  if (ended.reason === 'interrupted') return 'pending'
  await settle(deck, question, overspent(ended))
  return 'decided'
}

/** The money is spent: what was decided stays decided, the rest is for a person. */
function overspent({ debate, verdict, path, decidedOn, mismatch }: Extract<Held, { kind: 'paused' }>): Settled {
  const found: Verdict = verdict ?? { kind: 'defer', reason: 'spend-cap', path }
  return { kind: 'held', debate, status: 'done', failure: null, verdict: found, decidedOn, mismatch }
}

async function settle(deck: Deck, question: PendingQuestion, held: Settled): Promise<void> {
  const { tools, policy, watch } = deck
  const { job, row, id } = question
  const { deciding } = job
  const { debate, failure, status, decidedOn } = held
  if (deciding === null || held.verdict === null) throw new Error('settle: there is nothing to decide')
  const at = tools.now()
  const { runId, questionId, isDrawn } = row
  const { isShadow } = job.opened.run
  const verdict = heldBack(held.verdict, policy.isHeld())
  const about = { id, runId, certificateId: deciding.certified.id, at, isDrawn, isShadow }
  const mismatch = [...deciding.mismatch, ...held.mismatch]
  const record = decisionRecord(verdict, debate, {
    ...{ ...about, isSeen: tools.allowSeen && isSeen(deciding.certified, row), mismatch, rounds: decidedOn },
  })
  const text = JSON.stringify(failure === null ? debate : { ...debate, failure })
  const stored = { runId, questionId, status, at, debate: text, rounds: debate.rounds.length }
  const settlement = settlementOf(tools, { record, debate, stored })
  await tools.store.decisions.settle(settlement)
  if (settlement.messages.length > 0) tools.wakeCourier()
  question.rounds = stored.rounds
  question.decided = {
    ...{ ...pendingView(question), status: 'decided', reviewId: reviewOf(record)?.id ?? null },
    decision: withDetail(verdictFigures(verdict, thresholdOf(job)), {
      ...{ fingerprint: deciding.certified.certificate.fingerprint, mismatch, failure },
      agents: debate.rounds.map((turns) => turns.map(({ agent }) => agent)),
    }),
  }
  watch.settled({ runId, questionId, isDrawn, reason: record.reason })
  // One that had a first round was told before.
  watch.score(arrivedAs(question), null)
}

function arrivedAs({ row, job, arrival }: PendingQuestion): Arrived {
  const { runId, questionId } = row
  return { runId, questionId, arrival, certificateId: job.deciding?.certified.id ?? null }
}

function thresholdOf({ deciding }: Job): number {
  return deciding?.certified.certificate.threshold ?? 1
}

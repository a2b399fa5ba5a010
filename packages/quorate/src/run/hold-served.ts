import type { DecisionRecord } from '../record/decision.ts'
import type { RunQuestion, StoredDebate } from '../store/store.ts'
import type { Announce } from './announce.ts'
import { isSeen } from './deciding.ts'
import { decisionRecord, samplingOf } from './decision-record.ts'
import type { Held, Verdict } from './hold-question.ts'
import { heldBack, heldJob } from './policy-hold.ts'
import type { Job } from './run-job.ts'
import { type HoldHooks, holdOne } from './run-questions.ts'
import { settlementOf } from './served-settlement.ts'
import type { Settled } from './settle-question.ts'

/** A question that somebody asked a server, to be decided under the id that they were told. */
export interface ServedHolding extends Pick<HoldHooks, 'tell'> {
  readonly id: string
  /** Whether nothing may act, as far as is known here: asked before the debate and before an action. Its commit asks the store. */
  readonly isHeld: () => boolean | Promise<boolean>
  readonly announce: Announce
  /** Whether questions are taken that the certificate was calibrated on. */
  readonly allowSeen: boolean
}

export interface ServedDecision {
  readonly kind: 'decided'
  readonly record: DecisionRecord
  readonly verdict: Verdict
  readonly held: Settled
  /** Fields in which the panel is not the calibrated one. */
  readonly mismatch: readonly string[]
  readonly messages: number
}

/** `pending`: it was interrupted, and whoever goes on with the run asks again. */
export type ServedEnd = ServedDecision | { readonly kind: 'pending' | 'failed' }

/** The same wherever it is held: in the process that took it in, or in a worker. */
export async function holdServed(job: Job, row: RunQuestion, holding: ServedHolding): Promise<ServedEnd> {
  const { isHeld, tell } = holding
  const decided: ServedDecision[] = []
  const settle = async (held: Settled) => {
    const settled = await settleServed(job, { row, held, holding })
    decided.push(settled)
    return settled.held
  }
  const ended = await holdOne(heldJob(job, await isHeld()), row, {
    ...(tell && { tell }),
    settle: (_, held) => settle(held),
  })
  if (ended.kind === 'paused') {
    if (ended.reason === 'interrupted') return { kind: 'pending' }
    await settle(overspent(ended))
  }
  return decided[0] ?? { kind: 'failed' }
}

/** The money is spent: what was decided stays decided, the rest is for a person. */
function overspent({ debate, verdict, path, decidedOn, mismatch }: Extract<Held, { kind: 'paused' }>): Settled {
  const found: Verdict = verdict ?? { kind: 'defer', reason: 'spend-cap', path }
  return { kind: 'held', debate, status: 'done', failure: null, verdict: found, decidedOn, mismatch }
}

interface Settling {
  readonly row: RunQuestion
  readonly held: Settled
  readonly holding: ServedHolding
}

async function settleServed(job: Job, { row, held, holding }: Settling): Promise<ServedDecision> {
  const { deciding, opened, tools } = job
  if (deciding === null || held.verdict === null) throw new Error('settleServed: there is nothing to decide')
  const { certified } = deciding
  const { runId, questionId, isDrawn } = row
  const { debate, failure, status, decidedOn } = held
  const verdict = held.verdict.kind === 'act' ? heldBack(held.verdict, await holding.isHeld()) : held.verdict
  const at = tools.now()
  const mismatch = [...deciding.mismatch, ...held.mismatch]
  const record = decisionRecord(verdict, debate, {
    ...{ id: holding.id, runId, certificateId: certified.id, at, isShadow: opened.run.isShadow, mismatch },
    ...{ isDrawn, sampling: samplingOf(row) },
    ...{ isSeen: holding.allowSeen && isSeen(certified, row), rounds: decidedOn },
  })
  const text = JSON.stringify(failure === null ? debate : { ...debate, failure })
  const stored: StoredDebate = { runId, questionId, status, at, debate: text, rounds: debate.rounds.length }
  const parts = { newSalt: tools.newSalt, announce: holding.announce }
  const settlement = settlementOf(parts, { record, debate, stored })
  const settled = await tools.store.decisions.settle({ ...settlement, fence: opened.fence })
  if (settled.kind === 'held') {
    return settleServed(job, { row, holding, held: { ...held, verdict: heldBack(verdict, true) } })
  }
  return { kind: 'decided', record, verdict, held, mismatch, messages: settlement.messages.length }
}

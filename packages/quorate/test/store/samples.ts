import type { OutboxMessage } from '../../src/store/outbox.ts'
import type {
  CallOutcome,
  Intent,
  LedgerEntry,
  NewRunQuestion,
  Run,
  Store,
  StoredDebate,
  StoredDecision,
  StoredLabel,
  StoredReview,
} from '../../src/store/store.ts'

/** Ids that sort in the order of their numbers. */
export function sampleId(number: number): string {
  return `019e0000-0000-7000-8000-${String(number).padStart(12, '0')}`
}

/** The sampling key of runs whose sampling a test repeats. */
export const SAMPLE_KEY = '5a'.repeat(32)

export function sampleRun(change: Partial<Run> = {}): Run {
  return {
    id: sampleId(1),
    kind: 'debate',
    createdAt: 1_790_000_000_000,
    configHash: 'config-hash',
    questionsHash: 'questions-hash',
    config: '{"panel":{}}',
    certificateId: null,
    isShadow: false,
    seed: 2 ** 40,
    status: 'open',
    ...change,
  }
}

/** Counted by the monitor in runs that decide. */
export const sampleCounted = { spotCheckRate: 0.5, at: 1_790_000_000_000 }

export function sampleQuestions(count: number): readonly NewRunQuestion[] {
  return Array.from({ length: count }, (_, position) => ({
    position,
    questionId: `q${position}`,
    question: JSON.stringify({ id: `q${position}`, question: `secret question ${position}?` }),
    isSpotCheck: position % 2 === 1,
    samplingKey: 1,
    samplingRate: 0.5,
    counted: sampleCounted,
  }))
}

/** Writes a run with questions q0, q1, ... */
export async function createRun(store: Store, questions = 3, change: Partial<Run> = {}): Promise<Run> {
  const run = sampleRun(change)
  await store.runs.create(run, sampleQuestions(questions))
  return run
}

export function sampleIntent(number: number, change: Partial<Intent> = {}): Intent {
  return {
    id: sampleId(1000 + number),
    cacheKey: `cache-${number}`,
    runId: sampleId(1),
    questionId: 'q0',
    agent: 'ann',
    round: 1,
    repeat: 0,
    isReminder: false,
    attempt: number,
    model: 'simulated/ann',
    reservedMicroUsd: 900,
    fence: 'first',
    openedAt: 1_790_000_000_001,
    ...change,
  }
}

export function sampleOutcome(change: Partial<CallOutcome> = {}): CallOutcome {
  return {
    at: 1_790_000_000_002,
    reply: JSON.stringify({ text: 'secret reply', finish: 'stop' }),
    inputTokens: 100,
    outputTokens: 20,
    costMicroUsd: 250,
    error: null,
    ...change,
  }
}

export const REFUSED: CallOutcome = {
  at: 1_790_000_000_003,
  reply: null,
  inputTokens: null,
  outputTokens: null,
  costMicroUsd: null,
  error: 'secret words of a provider',
}

export function sampleDebate(questionId = 'q0', change: Partial<StoredDebate> = {}): StoredDebate {
  const turn = { agent: 'ann', answer: 'A', beliefs: { A: 0.9, text: 0.1 }, text: `secret argument on ${questionId}` }
  return {
    runId: sampleId(1),
    questionId,
    debate: JSON.stringify({ quorate: 1, id: questionId, options: ['A', 'text'], gold: 'A', rounds: [[turn]] }),
    rounds: 1,
    status: 'done',
    at: 1_790_000_000_004,
    ...change,
  }
}

export function sampleDecision(
  number: number,
  questionId: string,
  change: Partial<StoredDecision> = {},
): StoredDecision {
  return {
    id: sampleId(2000 + number),
    runId: sampleId(1),
    questionId,
    certificateId: 'certificate',
    kind: 'act',
    reason: null,
    answer: 'A',
    round: 1,
    decision: '{"bound":0.97}',
    isShadow: true,
    at: 1_790_000_000_005,
    ...change,
  }
}

export function sampleEntry(change: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    runId: sampleId(1),
    kind: 'decision',
    at: 1_790_000_000_006,
    body: { bound: 0.97, answer: 'A', 'ünï\u2028': [null, true, 1e-7] },
    texts: [{ digest: 'd'.repeat(64), salt: 'salt', text: 'secret ledger text\0\ud800', questionId: 'q0' }],
    ...change,
  }
}

export function sampleLabel(number: number, change: Partial<StoredLabel> = {}): StoredLabel {
  const source = (['import', 'deferral', 'spot-check'] as const)[number % 3] ?? 'import'
  const about = { runId: null, questionId: 'q0', gold: 'A', source, by: null, at: 1 }
  return {
    id: sampleId(3000 + number),
    ...about,
    verdict: 'option',
    reviewId: null,
    grades: null,
    text: null,
    ...change,
  }
}

export function sampleReview(number: number, change: Partial<StoredReview> = {}): StoredReview {
  return {
    id: sampleId(4000 + number),
    root: change.id ?? sampleId(4000 + number),
    part: 1,
    runId: sampleId(1),
    questionId: 'q0',
    source: 'deferral',
    reason: 'bound-low',
    createdAt: 1_790_000_000_007,
    status: 'waiting',
    claimedBy: null,
    claimedUntil: null,
    outcome: null,
    distance: null,
    isBlind: null,
    list: change.source === 'spot-check' ? 'blind' : 'open',
    lastClaimedBy: null,
    lastClaimedAt: null,
    assignedTo: null,
    dueAt: null,
    by: null,
    submittedAt: null,
    undoUntil: null,
    note: null,
    ...change,
  }
}

export function sampleMessage(number: number, change: Partial<OutboxMessage> = {}): OutboxMessage {
  return {
    id: sampleId(5000 + number),
    event: 'review.submitted',
    body: '{"value":"é\u2028"}',
    target: 'https://example.test/hook',
    createdAt: 10,
    notBefore: 20,
    subject: null,
    ...change,
  }
}

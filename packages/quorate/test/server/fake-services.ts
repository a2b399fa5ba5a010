import type { CertificateView } from '../../src/contract/certificates.ts'
import type { DebateView } from '../../src/contract/debates.ts'
import type { CertifyAnswer, DecisionView, VerdictFigures } from '../../src/contract/decisions.ts'
import type { MonitorView, PolicyState } from '../../src/contract/monitor.ts'
import type { OperatingPoint } from '../../src/contract/operating-point.ts'
import type { ReviewItem } from '../../src/contract/reviews.ts'
import type { Services } from '../../src/server/services.ts'

const AT = 1_700_000_000_000
const BUDGET = { beta: 0.1, alpha: 0.05, delta: 0.03, epsilon: 0.02, threshold: 0.95 }
const NO_PAGE = { items: [], next: null }

export const VERDICT: VerdictFigures = {
  kind: 'act',
  answer: 'A',
  reason: null,
  reasonText: null,
  round: 1,
  bound: 0.97,
  threshold: 0.95,
  path: [{ round: 1, answer: 'A', threshold: 0.95, lower: 0.97 }],
}

export const DECISION: DecisionView = {
  id: 'decision-1',
  runId: 'run-1',
  questionId: 'question-1',
  status: 'decided',
  createdAt: AT,
  rounds: 1,
  decision: VERDICT,
  certificate: 'certificate-1',
  reviewId: null,
  isHidden: false,
}

const CERTIFIED: CertifyAnswer = {
  ...VERDICT,
  decisionId: 'decision-1',
  id: 'question-1',
  certificate: 'certificate-1',
  isSpotCheck: false,
  isShadow: false,
  runId: 'run-1',
  isHidden: false,
  comparedBy: 'id',
  claim: [],
  turns: { answered: 3, missing: 0, renormalised: 0 },
}

const CERTIFICATE: CertificateView = {
  id: 'certificate-1',
  at: AT,
  isActive: true,
  kind: 'cells',
  profile: 'cells',
  rounds: 4,
  labels: 500,
  budget: BUDGET,
  feasible: true,
  claim: [],
  promise: null,
  mismatch: [],
  fingerprint: {},
  decisions: { acted: null },
}

const DEBATE: DebateView = {
  runId: 'run-1',
  questionId: 'question-1',
  excerpt: 'Which?',
  group: null,
  at: AT,
  rounds: 1,
  status: 'done',
  kind: 'act',
  answer: 'A',
  reason: null,
  bound: 0.97,
  boundRound: 1,
  score: 0.97,
  needs: 0.95,
  scoreRound: 1,
  threshold: 0.95,
  isSpotCheck: false,
  votes: [['same']],
  gold: null,
  isLabelled: false,
  isWaiting: false,
  isHidden: false,
  question: 'Which?',
  options: [],
  turns: [],
  verdict: VERDICT,
  label: null,
  certificate: 'certificate-1',
  claim: [],
  compared: { kind: 'none' },
  ledger: null,
}

const ITEM: ReviewItem = {
  id: 'review-1',
  question: 'Which?',
  options: [{ name: 'A', text: null }],
  group: null,
  createdAt: AT,
  asks: { kind: 'option' },
  isBlind: true,
  source: null,
  reason: null,
  evidence: null,
  status: 'waiting',
  claimedBy: 'mira',
  claimedUntil: AT,
  assignedTo: null,
  dueAt: null,
  outcome: null,
  note: null,
}

const CHANGED = { changed: 1, unchanged: 0, closed: 0, missing: 0 }

const POLICY: PolicyState = { state: 'live', cause: null, reason: null, since: AT, by: null, note: null }

export const MONITOR: MonitorView = {
  at: AT + 60_000,
  policy: POLICY,
  certificate: null,
  claim: [],
  state: { kind: 'none', name: 'Not acting', detail: 'No certificate is active.' },
  periods: [],
  suspensions: [],
  countedFor: null,
  spotChecks: {
    rate: 0.05,
    sampled: 7,
    labelled: 5,
    wrong: null,
    uniform: null,
    history: [],
    openSpotChecks: { count: 2, oldestAt: AT },
    upperWithOpen: null,
    frozenAt: null,
    right: null,
    uncounted: { count: 0, labelled: 0 },
  },
  alarm: {
    wealth: 1.5,
    alarmAt: 20,
    counted: 100,
    isAlarm: false,
    eta: 0.05,
    falseAlarm: 0.02,
    horizon: 10_000,
    power: [],
  },
  classes: [],
  drift: { wealth: 1.1, alarmAt: 20, counted: 100, isAlarm: false },
  missing: { wealth: 1, alarmAt: 200, counted: 100, isAlarm: false, share: 0, limit: 0.02 },
  others: [],
  mismatch: [],
  warnings: [],
  hidden: 0,
  automation: {
    acted: { count: 60, of: 100, share: 0.6, lower: 0.5, upper: 0.7 },
    deferred: { 'bound-low': 39, 'agent-failure': 1 },
  },
  rounds: { of: 4, mean: 2, saved: 200 },
  spend: { committedMicroUsd: 2_500_000, reservedMicroUsd: 0, savedMicroUsd: null, calls: 10, unpricedCalls: 0 },
  queue: { waiting: 40, oldestAt: AT },
  shadow: null,
  alarms: [],
}

const COLUMNS = {
  ids: [],
  isRepresentative: [],
  agents: [],
  rounds: 4,
  optionLists: [],
  options: [],
  groups: [],
  gold: [],
  right: [],
  beliefs: [],
  answers: [],
}
const POINT: OperatingPoint = {
  certificate: null,
  debates: COLUMNS,
  calibration: null,
  unfinished: { short: 0, failed: 0 },
  leftOut: { stoppedEarly: 0, calibration: 0, otherPanel: 0, hidden: 0, tooMany: 0 },
}
const PROGRESS = { waiting: 1, mineToday: 0, submitted: 0, oldestAt: AT }
const DONE = { kind: 'done', value: ITEM } as const

const SUMMARY = {
  debates: 1,
  isCut: false,
  acted: 1,
  deferred: 0,
  wrong: 0,
  hidden: 0,
  undecided: 0,
  answers: { rows: 1, waiting: 0 },
  suggestion: null,
  bars: [],
}
const TOKEN = {
  id: 'token-1',
  name: 'mira',
  role: 'reviewer',
  kind: 'human',
  createdAt: AT,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
} as const
const SETTINGS = {
  spotCheckRate: 0.05,
  secondShare: 0,
  maxClaims: 3,
  claimMs: 600_000,
  undoMs: 10_000,
  declared: null,
  guideline: null,
  labels: null,
  panel: null,
  missing: 'no panel',
  hosts: [],
}

/** Valid answers to every call. A test replaces those that it is about. */
export function fakeServices(replaced: Partial<Services> = {}): Services {
  return {
    decidedBefore: async () => new Set(),
    decisions: {
      ask: async () => ({ ...DECISION, status: 'pending', decision: null }),
      find: async (id) => (id === DECISION.id ? DECISION : null),
      attend: async (id) => (id === DECISION.id ? DECISION : null),
      async events(id) {
        return id === DECISION.id ? twoEvents() : null
      },
    },
    certify: async () => CERTIFIED,
    async answers() {
      return (async function* () {
        yield 'id,answer'
      })()
    },
    certificates: {
      list: async () => ({ items: [CERTIFICATE], next: null }),
      find: async (id) => (id === CERTIFICATE.id ? CERTIFICATE : null),
      activate: async () => CERTIFICATE,
      async make(_query, body) {
        const text = await new Response(body).text()
        const lines = text.split('\n').filter((line) => line !== '')
        return {
          ...CERTIFICATE,
          labels: lines.length,
          dropped: { unlabelled: 0, failed: 0, short: 0, unsampled: 0 },
          reading: {
            beliefs: 'stated',
            questions: lines.length,
            answered: 0,
            missing: 0,
            renormalised: 0,
            unjudged: 0,
          },
        }
      },
    },
    debates: {
      list: async () => ({ items: [DEBATE], next: null }),
      find: async () => DEBATE,
      summary: async () => SUMMARY,
    },
    blindness: {
      hidden: async () => new Set(),
      hidesAny: async () => false,
      isHiding: async () => false,
      reveal: async () => undefined,
    },
    operatingPoint: async () => POINT,
    evaluate: async () => ({ debates: 0, unjudged: 0, untried: { short: 0 }, splits: 0, beta: 0.1, policies: [] }),
    audit: async () => ({ audit: null, missing: 'labels', at: AT }),
    reviews: {
      next: async () => ({ kind: 'done', value: { item: ITEM, progress: PROGRESS } }),
      claim: async () => DONE,
      submit: async () => ({ kind: 'done', value: { item: ITEM, undoUntil: AT, progress: PROGRESS } }),
      skip: async () => DONE,
      release: async () => DONE,
      releaseClaims: async (reviewer) => ({ reviewer, released: [] }),
      assign: async () => ({ kind: 'done', value: CHANGED }),
      releaseItems: async () => CHANGED,
      request: async () => ({ added: 1, known: 0, undecided: 0 }),
      undo: async () => ({ kind: 'done', value: { kind: 'undone', item: ITEM } }),
      find: async () => ITEM,
      list: async () => NO_PAGE,
      agreement: async () => ({ confidence: 0.95, people: [], agents: [], readTwice: 0, disagreed: 0 }),
      progress: async () => PROGRESS,
    },
    labels: { list: async () => NO_PAGE },
    ledger: { list: async () => NO_PAGE },
    runs: { list: async () => NO_PAGE },
    tokens: {
      list: async () => ({ items: [TOKEN] }),
      create: async () => ({ ...TOKEN, token: 'qt_shown-once' }),
      revoke: async () => ({ ...TOKEN, revokedAt: AT }),
    },
    settings: () => SETTINGS,
    monitor: async () => MONITOR,
    policy: { suspend: async () => ({ ...POLICY, state: 'suspended' }), release: async () => POLICY },
    stop: async () => undefined,
    certificateAtStart: null,
    suspendedAtStart: null,
    ...replaced,
  }
}

async function* twoEvents() {
  yield { event: 'round', data: { round: 1, verdict: VERDICT } } as const
  yield { event: 'decided', data: DECISION } as const
}

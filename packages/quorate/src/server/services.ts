import type { ResolvedConfig } from '../config/resolve-config.ts'
import type {
  CertificateRow,
  CertificateView,
  MadeCertificate,
  MakeCertificateQuery,
} from '../contract/certificates.ts'
import type { CertifyInput, QuestionInput } from '../contract/debate-input.ts'
import type { DebateQuery, DebateRow, DebateSummary, DebateSummaryQuery, DebateView } from '../contract/debates.ts'
import type { CertifyAnswer, DecisionView, RoundEvent } from '../contract/decisions.ts'
import type { LabelQuery, LabelView } from '../contract/labels.ts'
import type { LedgerQuery, LedgerRowView } from '../contract/ledger.ts'
import type { MonitorView, PolicyState } from '../contract/monitor.ts'
import type { AuditView, EvaluationView, OperatingPoint } from '../contract/operating-point.ts'
import type { Page, PageQuery } from '../contract/page.ts'
import type { RunRow } from '../contract/runs.ts'
import type { MadeToken, NewToken, SettingsView, TokenRow } from '../contract/settings.ts'
import type { QuestionKey } from '../record/question.ts'
import type { ReviewService } from '../review/review-service.ts'
import type { Announce } from '../run/announce.ts'
import type { Certified } from '../run/calibration/certified.ts'
import type { PaidModel } from '../run/calls/pay-for-call.ts'
import type { DeclaredPromise } from '../run/deciding.ts'
import type { AnswerFormat } from '../run/exchange/answer-lines.ts'
import type { RunTools } from '../run/run-context.ts'
import type { RunPlan } from '../run/run-plan.ts'
import type { QuestionsElsewhere } from '../run/workers/served-questions.ts'
import type { Identity } from './access/identity.ts'

/**
 * What stands behind the routes, in types of the contract. Null means that there is no such thing (404); anything else
 * that cannot be answered is thrown as ProblemError. Cursors are the service's own text.
 */
/** The certificate that decides when the server starts. */
export interface CertificateAtStart {
  readonly id: string
  readonly promise: string
  /** What the config declares; null if that is the same promise, or if there is no config. */
  readonly declared: string | null
}

export interface Services {
  /** Null: no certificate was active when the server started. */
  readonly certificateAtStart: CertificateAtStart | null
  readonly decisions: DecisionService
  /** Those of the ids that were decided before, in whatever run. */
  decidedBefore(questionIds: readonly string[]): Promise<ReadonlySet<string>>
  /** In the space of ids of `who`. The answer is whole: what is hidden from people is left out by the endpoint. */
  certify(input: CertifyInput, who: Identity): Promise<CertifyAnswer>
  readonly certificates: CertificateService
  readonly debates: {
    list(query: DebateQuery, who: Identity): Promise<Page<DebateRow>>
    /** Counts over the latest that a query finds, without what is hidden from who asks. */
    summary(query: DebateSummaryQuery, who: Identity): Promise<DebateSummary>
    /** A hidden one without its figures, unless an admin reveals it, which is logged. */
    find(
      runId: string,
      questionId: string,
      asked: { readonly who: Identity; readonly isRevealed: boolean },
    ): Promise<DebateView | null>
  }
  readonly blindness: Blindness
  operatingPoint(of: Hiding): Promise<OperatingPoint>
  /** The signal is that of who asked: what nobody waits for is ended. */
  evaluate(
    query: { readonly beta?: number | undefined } & Partial<Hiding>,
    signal?: AbortSignal,
  ): Promise<EvaluationView>
  audit(of?: Hiding, signal?: AbortSignal): Promise<AuditView>
  readonly reviews: ReviewService
  /** Final answers line by line, without line ends; null: there is no such run. */
  answers(
    of: {
      readonly format: AnswerFormat
      /** Only the debates that it finds. */
      readonly query: DebateSummaryQuery
      /** Only these. Absent: all that it finds. */
      readonly debates?: readonly QuestionKey[]
      readonly who: Identity
    } & Hiding,
  ): Promise<AsyncIterable<string> | null>
  readonly labels: { list(query: LabelQuery): Promise<Page<LabelView>> }
  readonly ledger: { list(query: LedgerQuery): Promise<Page<LedgerRowView>> }
  readonly runs: { list(query: PageQuery, of: Hiding): Promise<Page<RunRow>> }
  readonly tokens: {
    list(): Promise<{ readonly items: readonly TokenRow[] }>
    /** A name that another token has is an error. The token itself is in no other answer. */
    create(token: NewToken, who: Identity): Promise<MadeToken>
    revoke(id: string, who: Identity): Promise<TokenRow | null>
  }
  settings(): SettingsView
  /** Cheap: also asked for /metrics. */
  monitor(of?: Hiding): Promise<MonitorView>
  readonly policy: {
    suspend(note: string, who: Identity): Promise<PolicyState>
    /** `since`: only the suspension that began then. */
    release(note: string, who: Identity, since?: number): Promise<PolicyState>
  }
  /** Begins nothing more and resolves when what is paid for is stored; `aborting` of the tools cuts it short. */
  stop(): Promise<void>
}

/** Figures over many questions; `hidesBlind`: without what is hidden from people, which they could tell from a difference. */
export interface Hiding {
  readonly hidesBlind: boolean
}

/** What items of the queue hide from people. */
export interface Blindness {
  /** Those of the questions that are hidden; without a run, in any. */
  hidden(among: { readonly questionIds: readonly string[]; readonly runId?: string }): Promise<ReadonlySet<string>>
  /** Whether any question of the run is hidden by an item of the queue. */
  hidesAny(runId: string): Promise<boolean>
  /** Whether an item of the queue that hides its question asks the same, under whatever id. */
  isHiding(input: QuestionInput): Promise<boolean>
  /** Says in the ledger of the run who looks behind them; they get no blind item about them. */
  reveal(of: { readonly runId: string; readonly questionIds: readonly string[]; readonly who: Identity }): Promise<void>
}

export interface DecisionService {
  /** Stored when it resolves; debated after that. */
  ask(
    question: QuestionInput,
    asked: {
      readonly who: Identity
      readonly idempotencyKey: string | null
      /** True: it is debated only while a client waits for it with `attend`. */
      readonly isAttended?: boolean
      /** Before a question is accepted that was not asked before under its id; what it throws refuses the question. */
      readonly beforeNew?: () => Promise<void>
    },
  ): Promise<DecisionView>
  /** Resolves when it is decided or failed, else after `waitMs` or when the signal fires, with what is there. */
  find(id: string, wait: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<DecisionView | null>
  /**
   * Resolves when it is decided or failed, or when the signal fires, with what is there. When the signals of all who attend
   * a question have fired, its debate is paused; asking it again continues it.
   */
  attend(id: string, signal: AbortSignal): Promise<DecisionView | null>
  /** From the first round on, whenever it is asked for; ends after `decided`, or when the signal fires. */
  events(id: string, signal: AbortSignal): Promise<AsyncIterable<DecisionEvent> | null>
}

export type DecisionEvent =
  | { readonly event: 'round'; readonly data: RoundEvent }
  /** Also of one that failed. */
  | { readonly event: 'decided'; readonly data: DecisionView }

export interface Activating {
  readonly who: Identity
  readonly note: string
  /** `shadow`: it decides and records, and sends everything to people until it is released. */
  readonly mode?: 'act' | 'shadow'
}

export interface CertificateService {
  list(query: PageQuery): Promise<Page<CertificateRow>>
  find(id: string, of?: Hiding): Promise<CertificateView | null>
  /** The body as it comes in: JSONL, up to 200 MB. */
  make(query: MakeCertificateQuery, body: ReadableStream<Uint8Array>, who: Identity): Promise<MadeCertificate>
  /** Of the one that is active already: nothing happens. */
  activate(id: string, by: Activating): Promise<CertificateView | null>
}

/** Of the config, or of flags and defaults where there is none. */
export interface ServiceSettings extends DeclaredPromise {
  readonly spotCheckRate: number
  readonly maxClaims: number
  readonly seed: number
  readonly secondShare?: number
  /** What the config promises. The active certificate defers its groups at least. Absent without a config. */
  readonly declared?: DeclaredPromise & {
    readonly deferGroups: ResolvedConfig['deferGroups']
    readonly guideline?: ResolvedConfig['guideline']
    readonly alwaysReview?: ResolvedConfig['panel']['alwaysReview']
  }
}

/** What `quorate serve` hands to `createServices` of deciding/create-services.ts. */
export interface ServiceTools extends Omit<RunTools, 'models' | 'traffic'> {
  readonly settings: ServiceSettings
  /** What debates questions; where there is none, its `missing` says why, and only /v1/decisions is refused (503). */
  readonly panel:
    | {
        readonly plan: RunPlan
        readonly models: ReadonlyMap<string, PaidModel>
        readonly traffic: RunTools['traffic']
      }
    | { readonly plan: RunPlan; readonly elsewhere: QuestionsElsewhere }
    | { readonly missing: string }
  /** Of --certificate: activated at the start if it is not the active one. Null: the store's active one, or none. */
  readonly certified: Certified | null
  /** Who started the server, and so activates that certificate: for the ledger. */
  readonly operator: string
  readonly allowSeen: boolean
  readonly allowMismatch: boolean
  readonly lockMs: number
  readonly undoMs: number
  /** The messages of an event, one for each target that wants it: to be stored in the same commit. */
  readonly announce: Announce
  /** Where webhooks go, for the page of settings. */
  readonly webhookHosts?: readonly string[]
  /** After a commit with messages that are due: the sender need not wait for its next look. */
  readonly wakeSender: () => void
  /** Writes a log line about an event that belongs to no request. */
  readonly report: (words: string, cause?: unknown) => void
}

export type CreateServices = (tools: ServiceTools) => Promise<Services>

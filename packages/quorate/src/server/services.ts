import type { ResolvedConfig } from '../config/resolve-config.ts'
import type {
  CertificateRow,
  CertificateView,
  MadeCertificateView,
  MakeCertificateQuery,
} from '../contract/certificates.ts'
import type { DebateQuery, DebateRow, DebateSummary, DebateSummaryQuery, DebateView } from '../contract/debates.ts'
import type { CertifyAnswer, CertifyInput, DecisionView, QuestionInput, RoundEvent } from '../contract/decisions.ts'
import type { LabelQuery, LabelView } from '../contract/labels.ts'
import type { LedgerQuery, LedgerRowView } from '../contract/ledger.ts'
import type { MonitorView, PolicyState } from '../contract/monitor.ts'
import type { AuditView, EvaluationView, OperatingPoint } from '../contract/operating-point.ts'
import type { Page, PageQuery } from '../contract/page.ts'
import type { RunRow } from '../contract/runs.ts'
import type { MadeToken, NewToken, SettingsView, TokenRow } from '../contract/settings.ts'
import type { FieldValues, QuestionKey } from '../record/question.ts'
import type { ReviewService } from '../review/review-service.ts'
import type { Certified } from '../run/calibration/certified.ts'
import type { PaidModel } from '../run/calls/pay-for-call.ts'
import type { DeclaredPromise } from '../run/deciding.ts'
import type { AnswerFormat } from '../run/exchange/answer-lines.ts'
import type { RunTools } from '../run/run-context.ts'
import type { RunPlan } from '../run/run-plan.ts'
import type { MessagesOf } from '../run/webhook-messages.ts'
import type { QuestionsElsewhere } from '../run/workers/served-questions.ts'
import type { PolicyEvent } from '../store/decisions/policy-events.ts'
import type { Identity } from './access/identity.ts'

/** The certificate that decides when the server starts. */
export interface CertificateAtStart {
  readonly id: string
  readonly promise: string
  /** What the config declares; null if that is the same promise, or if there is no config. */
  readonly declared: string | null
}

/**
 * The services behind the routes, in types of the contract. Null means that there is no such thing (404). Any other refusal is
 * thrown as a ProblemError. Each service defines the format of its cursors.
 */
export interface Services {
  /** Null: no certificate was active when the server started. */
  readonly certificateAtStart: CertificateAtStart | null
  /** The suspension that was in force when the server started, shadow mode included; null: there was none. */
  readonly suspendedAtStart: PolicyEvent | null
  readonly decisions: DecisionService
  /** Those of the ids that any run has decided. */
  decidedBefore(questionIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Each caller has a namespace of ids. The answer is complete: the endpoint removes what is hidden from people. */
  certify(input: CertifyInput, who: Identity): Promise<CertifyAnswer>
  readonly certificates: CertificateService
  readonly debates: {
    list(query: DebateQuery, who: Identity): Promise<Page<DebateRow>>
    /** Counts over the latest debates that match a query, without what is hidden from the caller. */
    summary(query: DebateSummaryQuery, who: Identity): Promise<DebateSummary>
    /** A hidden debate has no figures, unless an admin reveals it, which the ledger records. */
    find(
      runId: string,
      questionId: string,
      asked: { readonly who: Identity; readonly isRevealed: boolean },
    ): Promise<DebateView | null>
  }
  readonly blindness: Blindness
  operatingPoint(of: Hiding): Promise<OperatingPoint>
  /** The computation is cancelled when the signals of all its callers have fired. */
  evaluate(
    query: { readonly beta?: number | undefined } & Partial<Hiding>,
    signal?: AbortSignal,
  ): Promise<EvaluationView>
  audit(of?: Hiding, signal?: AbortSignal): Promise<AuditView>
  readonly reviews: ReviewService
  /** Final answers as lines without line breaks; null: there is no such run. */
  answers(
    of: {
      readonly format: AnswerFormat
      /** Only debates that match. */
      readonly query: DebateSummaryQuery
      /** Only these debates. Absent: all that match the query. */
      readonly debates?: readonly QuestionKey[]
      readonly who: Identity
    } & Hiding,
  ): Promise<AsyncIterable<string> | null>
  readonly labels: { list(query: LabelQuery): Promise<Page<LabelView>> }
  readonly ledger: { list(query: LedgerQuery): Promise<Page<LedgerRowView>> }
  readonly runs: { list(query: PageQuery, of: Hiding): Promise<Page<RunRow>> }
  readonly tokens: {
    list(): Promise<{ readonly items: readonly TokenRow[] }>
    /** A name that another token has is an error. No other answer contains the token itself. */
    create(token: NewToken, who: Identity): Promise<MadeToken>
    revoke(id: string, who: Identity): Promise<TokenRow | null>
  }
  settings(): SettingsView
  /** It must be cheap, because /metrics calls it too. */
  monitor(of?: Hiding): Promise<MonitorView>
  readonly policy: {
    suspend(note: string, who: Identity): Promise<PolicyState>
    /** `since`: releases only the suspension that began then. */
    release(note: string, who: Identity, since?: number): Promise<PolicyState>
  }
  /** Starts nothing more and resolves when everything that was paid for is stored. `aborting` of the tools cuts it short. */
  stop(): Promise<void>
}

/** An option of figures over many questions. */
export interface Hiding {
  /** Leaves out what is hidden from people, who could otherwise infer it from differences between figures. */
  readonly hidesBlind: boolean
}

/** What review items hide from people. */
export interface Blindness {
  /** Those of the questions that are hidden, in this run or in any. */
  hidden(among: { readonly questionIds: readonly string[]; readonly runId?: string }): Promise<ReadonlySet<string>>
  /** Whether a review item hides any question of the run. */
  hidesAny(runId: string): Promise<boolean>
  /** Whether the same question is hidden by a review item, under any id. */
  isHiding(input: QuestionInput): Promise<boolean>
  /** Records in the ledger of the run who sees the questions. That person gets no blind items about them. */
  reveal(of: { readonly runId: string; readonly questionIds: readonly string[]; readonly who: Identity }): Promise<void>
}

/** A question for the panel. The fields of a program, such as the columns of a file, may have any JSON. */
export type QuestionRequest = Omit<QuestionInput, 'fields'> & { readonly fields?: FieldValues | undefined }

export interface DecisionService {
  /** Resolves when the question is stored. It is debated afterwards. */
  ask(
    question: QuestionRequest,
    asked: {
      readonly who: Identity
      readonly idempotencyKey: string | null
      /** True: the question is debated only while a client waits for it with `attend`. */
      readonly isAttended?: boolean
      /** Called before a question with a new id is accepted. If it throws, the question is refused. */
      readonly beforeNew?: () => Promise<void>
    },
  ): Promise<DecisionView>
  /** Resolves when it is decided or failed, after `waitMs`, or when the signal fires, with the current state. */
  find(id: string, wait: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<DecisionView | null>
  /**
   * Resolves when it is decided or failed, or when the signal fires, with the current state. When the signals of all clients
   * that wait for a question have fired, its debate is paused. Asking it again continues it.
   */
  attend(id: string, signal: AbortSignal): Promise<DecisionView | null>
  /** All events since the first round, whenever the call comes. They end after `decided`, or when the signal fires. */
  events(id: string, signal: AbortSignal): Promise<AsyncIterable<DecisionEvent> | null>
}

export type DecisionEvent =
  | { readonly event: 'round'; readonly data: RoundEvent }
  /** Also sent if the debate failed. */
  | { readonly event: 'decided'; readonly data: DecisionView }

export interface Activating {
  readonly who: Identity
  readonly note: string
  /** `shadow`: it decides and records, but sends everything to people until it is released. */
  readonly mode?: 'act' | 'shadow'
}

export interface CertificateService {
  list(query: PageQuery): Promise<Page<CertificateRow>>
  find(id: string, of?: Hiding): Promise<CertificateView | null>
  /** `body` is JSONL of up to 200 MB. */
  make(query: MakeCertificateQuery, body: ReadableStream<Uint8Array>, who: Identity): Promise<MadeCertificateView>
  /** Does nothing if it is already active. */
  activate(id: string, by: Activating): Promise<CertificateView | null>
}

/** Settings from the config, or from flags and defaults if there is none. */
export interface ServiceSettings extends DeclaredPromise {
  readonly spotCheckRate: number
  readonly maxClaims: number
  readonly seed: number
  readonly secondShare?: number
  /** The promise of the config. Its `deferGroups` apply in addition to the active certificate's. Absent without a config. */
  readonly declared?: DeclaredPromise & {
    readonly deferGroups: ResolvedConfig['deferGroups']
    readonly guideline?: ResolvedConfig['guideline']
    readonly alwaysReview?: ResolvedConfig['panel']['alwaysReview']
  }
}

/** What `quorate serve` passes to `createServices` in deciding/create-services.ts. */
export interface ServiceTools extends Omit<RunTools, 'models' | 'traffic'> {
  readonly settings: ServiceSettings
  /** What debates questions. If there is none, `missing` explains why, and only /v1/decisions is refused (503). */
  readonly panel:
    | {
        readonly plan: RunPlan
        readonly models: ReadonlyMap<string, PaidModel>
        readonly traffic: RunTools['traffic']
      }
    | { readonly plan: RunPlan; readonly elsewhere: QuestionsElsewhere }
    | { readonly missing: string }
  /** From --certificate, activated at the start if it is not active. Null: the store's active certificate decides, if any. */
  readonly certified: Certified | null
  /** Who started the server and thereby activates that certificate, for the ledger. */
  readonly operator: string
  readonly allowSeen: boolean
  readonly allowMismatch: boolean
  readonly claimMs: number
  readonly undoMs: number
  /** The messages of an event, one for each subscribed target, which the same commit must store. */
  readonly messagesOf: MessagesOf
  /** Where webhooks go, for the page of settings. */
  readonly webhookHosts?: readonly string[]
  /** Called after a commit with messages that are due, so that the sender does not wait for its next poll. */
  readonly wakeSender: () => void
  /** Writes a log line about an event that belongs to no request. */
  readonly report: (words: string, cause?: unknown) => void
}

export type CreateServices = (tools: ServiceTools) => Promise<Services>

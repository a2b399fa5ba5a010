import type { Calibration } from '../run/calibration/calibrate-run.ts'
import type { RunProgress } from '../run/progress.ts'
import type { RunResult } from '../run/run-to-end.ts'
import type { PanelDecision } from './ask-decision.ts'
import type { PanelQuestion } from './panel-questions.ts'

/** A panel of models with its store and, to decide, its certificate. */
export interface Panel {
  /**
   * Decides one question. A repeated question under the same id returns the same decision and costs nothing, even from
   * another process. All questions of a certificate share one run of the store, and so one spend cap.
   */
  decide(question: PanelQuestion, options?: { readonly signal?: AbortSignal }): Promise<PanelDecision>
  /** Debates or decides many questions as one run of the store, which can be resumed. */
  run(questions: Iterable<PanelQuestion> | AsyncIterable<PanelQuestion>, options: PanelRunOptions): Promise<RunResult>
  /** Makes a certificate from the labelled debates of a run, and keeps it in the store too. */
  calibrate(runId: string): Promise<PanelCertificate>
  /** Starts no new work, and resolves when paid calls are stored. Pending questions can be resumed. */
  close(): Promise<void>
}

export interface PanelRunOptions {
  readonly kind: 'debate' | 'decide'
  /** Absent: a new run. `latest`: the latest run over the same questions and config. */
  readonly resume?: 'latest' | { readonly id: string }
  /** Ask failed questions of a resumed run again. */
  readonly retryErrors?: boolean
  /** Decide and log, but create no review items. */
  readonly isShadow?: boolean
  /** Called whenever a debate begins or ends. */
  readonly onProgress?: (progress: RunProgress) => void
  /** Abort it to stop the run. The result then has the halt `interrupted`, and the run can be resumed. */
  readonly signal?: AbortSignal
}

export interface PanelCertificate extends Pick<Calibration, 'debates' | 'padded' | 'dropped'> {
  readonly id: string
  /** The text of its file, as `quorate calibrate` writes it. */
  readonly file: string
  /** False: it would defer every question. `quorate plan` says what is missing. */
  readonly canAct: boolean
}

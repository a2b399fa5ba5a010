import { basename } from 'node:path'
import {
  audit,
  type Budget,
  evaluatedFile,
  type LocalOptions,
  POLICY_NAMES,
  questionKeys,
  resolveProfileBudget,
} from '@quorate/certificate'
import { evaluateFile } from '../evaluation/evaluate-file.ts'
import { FileError } from '../files/file-error.ts'
import { type DebateReading, readDebateFile } from '../files/read-debate-file.ts'
import { countText } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import { gatherReport } from './gather-report.ts'
import type { Profile, Recompute, ReportData } from './report-data.ts'

export interface MakeReportOptions {
  readonly profile: Profile
  readonly budget: Budget
  /** Options of the profiles `tight` and `paper`. */
  readonly local?: LocalOptions
  readonly file: DebateReading
  /** One seed per split. The first one is also used for the figures of one certificate and for the audits. */
  readonly seeds: readonly number[]
  readonly threads: number
  readonly groupConditional: boolean
  /** Whether the debates are in order of arrival. If so, the audits check for changes over time. */
  readonly order: 'arrival' | 'none'
  readonly recompute: Pick<Recompute, 'command' | 'packageVersion'>
  /** Called with a text that describes the current step. */
  readonly progress: (text: string) => void
}

/** Other budgets at which the frontier shows the profile's own policy. */
const OTHER_BETAS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4]

/** Evaluates every policy on a file of labelled debates, audits the certificate and gathers the content of the report. */
export async function makeReport(path: string, options: MakeReportOptions): Promise<ReportData> {
  const { profile, budget, local = {}, file, order, seeds, threads, groupConditional, progress } = options
  const read = await readDebateFile(path, {
    ...file,
    progress: (lines) => progress(`reading line ${countText(lines)}`),
  })
  if (new Set(questionKeys(read.read.debates, read.questionOf)).size < 2) {
    throw new FileError(
      `${plainText(path)} must contain debates on 2 questions or more: one half calibrates, the other tests`,
    )
  }
  const policies = [profile, ...POLICY_NAMES.filter((name) => name !== profile)]
  const rounds = evaluatedFile(read.read).rounds
  const { evaluations, beside } = await evaluateFile(path, {
    file,
    seeds,
    threads,
    groupConditional,
    local,
    progress,
    policies,
    shift: true,
    budgets: [budget],
    beside: { policies: [profile], budgets: otherBudgets(profile, budget, rounds, local) },
  })
  const [evaluation] = evaluations
  if (evaluation === undefined) throw new Error('no evaluation for the budget')
  const [seed = 7] = seeds
  progress('auditing the certificate')
  const { questionOf } = read
  const found = audit(read.read, { profile, budget, seed, order, questionOf, groupConditional, local })
  progress('drawing the figures')
  return gatherReport({
    source: { file: basename(path), unlabelled: read.unlabelled, failed: read.failed, reading: read.reading },
    read: read.read,
    questionOf,
    profile,
    budget,
    local,
    groupConditional,
    evaluation,
    otherBudgets: beside,
    audit: found,
    recompute: { ...options.recompute, seed },
  })
}

/** The other budgets, with the declared delta and epsilon, that allow an action. */
function otherBudgets(profile: Profile, budget: Budget, rounds: number, local: LocalOptions): Budget[] {
  return OTHER_BETAS.map((beta) => ({ ...budget, beta })).filter(
    (other) => other.beta !== budget.beta && resolveProfileBudget('report', other, profile, rounds, local).feasible,
  )
}

import { type Budget, checkBudget } from '../budget.ts'
import { CertificateError } from '../certificate-error.ts'
import { choice, onlyNames } from '../choice.ts'
import { type CalibrationInput, type CalibrationRows, readCalibrationRows } from '../knn/calibration-rows.ts'
import { KNN_OPTION_NAMES, type KnnOptions, type KnnProfile, resolveKnnOptions } from '../knn/knn-options.ts'
import { DEFAULT_SPLIT, type SplitChoice, splitRows } from '../knn/split-rows.ts'
import { METHOD_VERSION } from './fingerprint.ts'
import { type KnnCertificate, knnCertificate } from './knn-certificate.ts'
import { rowsDigest } from './rows-digest.ts'

export interface CertificateOptions extends Partial<KnnOptions> {
  readonly profile: KnnProfile
  readonly budget: Budget
  /** Default: 20 % pilot rows (rounded down), seed 7. */
  readonly split?: SplitChoice
  /**
   * Level within a group: the ordinary one, or divided by the number of groups for a simultaneous claim over all
   * groups.
   */
  readonly groupLevel?: GroupLevel
}

export type GroupLevel = 'ordinary' | 'simultaneous'

/**
 * Fits a k-NN certificate to labelled states.
 *
 * L_t(u) = max over k of mean - envelope - slack is, for all rounds simultaneously, at most the probability of being
 * right at state u, except with probability delta over calibration sets (Theorem 2 of the paper), if rows are
 * independent draws and the envelope holds.
 */
export function fitCertificate(input: CalibrationInput, options: CertificateOptions): KnnCertificate {
  const where = 'fitCertificate'
  if (typeof options !== 'object' || options === null) {
    throw new CertificateError(where, 'options', 'an object with profile and budget', options)
  }
  const knn = resolveKnnOptions(where, options.profile, options)
  onlyNames(where, options, ['profile', 'budget', 'split', 'groupLevel', ...KNN_OPTION_NAMES])
  checkBudget(where, options.budget)
  const rows = readCalibrationRows(where, input)
  return knnCertificate({
    profile: options.profile,
    budget: options.budget,
    options: knn,
    ...resolveSplit(where, rows, options.split),
    rows,
    groupConditional: false,
    groupLevel: resolveGroupLevel(where, options.profile, options.groupLevel),
    panel: null,
    states: null,
    customState: null,
    ids: null,
    fingerprint: {
      models: null,
      prompts: null,
      agents: null,
      panels: null,
      rounds: rows.rounds.length,
      endsEarly: null,
      elicitation: null,
      turns: null,
      settings: null,
      reader: null,
      state: 'given',
      methodVersion: METHOD_VERSION,
      rows: rowsDigest(rows),
    },
  })
}

export function resolveSplit(where: string, rows: Pick<CalibrationRows, 'count' | 'questions'>, split?: SplitChoice) {
  const chosen = split ?? DEFAULT_SPLIT
  const resolved = splitRows(where, rows.count, chosen, rows.questions)
  return { split: resolved, sampleSeed: 'seed' in chosen ? chosen.seed : 7 }
}

/**
 * The paper makes a simultaneous claim about all groups. A question is in one group, for which the ordinary level is
 * enough.
 */
export function resolveGroupLevel(where: string, profile: string, level: GroupLevel | undefined): GroupLevel {
  const natural = profile === 'paper' ? 'simultaneous' : 'ordinary'
  return choice(where, 'groupLevel', level ?? natural, ['ordinary', 'simultaneous'])
}

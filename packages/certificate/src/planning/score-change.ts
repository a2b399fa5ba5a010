import type { LocalOptions } from '../certificate/calibrate.ts'
import { USUAL_PILOT_FRACTION } from '../knn/split-rows.ts'
import { ROWS_FOR_ALL_FEATURES } from '../states/learned-state.ts'
import type { PlanProfile } from './label-floor.ts'

/**
 * Number of labels from which on the pilot is large enough for a score that uses the beliefs of single agents. Another
 * score is another curve, so trials on one side of this number say nothing about the other. Null for the profile
 * `paper`, whose state is fixed, and for profiles that choose the score by its out-of-fold loss.
 */
export function scoreChangesAt(profile: PlanProfile, local: LocalOptions = {}): number | null {
  return isLearned(profile, local) ? Math.ceil(ROWS_FOR_ALL_FEATURES / USUAL_PILOT_FRACTION) : null
}

export function isFullScore(profile: PlanProfile, pilotRows: number, local: LocalOptions = {}): boolean {
  return !isLearned(profile, local) || pilotRows >= ROWS_FOR_ALL_FEATURES
}

function isLearned(profile: PlanProfile, { state }: LocalOptions): boolean {
  return (profile === 'tight' && state === undefined) || state === 'learned'
}

import type { Audit, ClassCount, Dials, Evaluation, Profile, ResolvedBudget, TotalPromise } from '@quorate/certificate'
import type { BoundPaths } from '../figures/bound-paths.ts'
import type { CellBars } from '../figures/cell-bars.ts'
import type { Certified } from '../figures/certified.ts'
import type { FrontierPoint } from '../figures/frontier.ts'
import type { StateLine } from '../figures/state-line.ts'
import type { StatePlane } from '../figures/state-plane.ts'
import type { Waterfall } from '../figures/waterfall.ts'
import type { FileReading } from '../text/left-out.ts'

export type { Profile }

/** All that a report says, as plain JSON: texts of files are raw here and escaped where they are written. */
export interface ReportData {
  readonly source: ReportSource
  readonly profile: Profile
  readonly budget: ResolvedBudget & { readonly alpha: number }
  /** Of the profile total; null for the others. */
  readonly promise: TotalPromise | null
  /** What is promised and under which assumptions. */
  readonly sentences: readonly string[]
  readonly caveats: readonly string[]
  /** Every policy over random halves; the profile's own is the first. */
  readonly evaluation: Evaluation
  /** Ours under other budgets, by beta. */
  readonly path: readonly FrontierPoint[]
  /** Null where the file allows no audit. */
  readonly audit: Audit | null
  readonly heldOut: HeldOutFigures
  readonly recompute: Recompute
}

export interface ReportSource {
  /** Name of the file without its folder. */
  readonly file: string
  readonly unlabelled: number
  readonly failed: number
  readonly reading: FileReading
}

/** What one certificate, made from one half of the questions, does on the other half. */
export interface HeldOutFigures {
  readonly calibration: number
  readonly debates: number
  readonly acted: number
  /** Bound on the error among what is acted on; null where it promises nothing. */
  readonly actedError: number | null
  /** Of the profile total: its classes, and how much it acts on along each dial; null for the others. */
  readonly total: TotalFigures | null
  readonly waterfall: Waterfall
  readonly certified: Certified
  readonly paths: BoundPaths
  /** Cells, or where a state acts: a plane of two coordinates or a line of one; null where there are more. */
  readonly space:
    | { readonly kind: 'cells'; readonly cells: CellBars }
    | { readonly kind: 'plane'; readonly plane: StatePlane }
    | { readonly kind: 'line'; readonly line: StateLine }
    | null
}

export interface TotalFigures {
  readonly classes: readonly (Pick<ClassCount, 'rows' | 'right' | 'lower' | 'state'> & { readonly name: string })[]
  readonly silence: readonly string[]
  readonly dials: Dials
}

export interface Recompute {
  readonly command: string
  /** Of the half that made the certificate of the figures. */
  readonly seed: number
  readonly methodVersion: number
  readonly packageVersion: string
}

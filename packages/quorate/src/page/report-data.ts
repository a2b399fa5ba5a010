import type { Audit, ClassCount, Dials, Evaluation, Profile, ResolvedBudget, TotalPromise } from '@quorate/certificate'
import type { BoundPaths } from '../figures/bound-paths.ts'
import type { CellBars } from '../figures/cell-bars.ts'
import type { CertifiedBins } from '../figures/certified-bins.ts'
import type { FrontierPoint } from '../figures/frontier.ts'
import type { StateLine } from '../figures/state-line.ts'
import type { StatePlane } from '../figures/state-plane.ts'
import type { Waterfall } from '../figures/waterfall.ts'
import type { FileReading } from '../text/left-out.ts'

export type { Profile }

/** The content of a report as plain JSON. Texts from files are unescaped here and are escaped when the page is written. */
export interface ReportData {
  readonly source: ReportSource
  readonly profile: Profile
  readonly budget: ResolvedBudget & { readonly alpha: number }
  /** Null unless the profile is `total`. */
  readonly promise: TotalPromise | null
  /** Whether the promise is about each group separately. */
  readonly groupConditional: boolean
  /** The promise and its assumptions. */
  readonly sentences: readonly string[]
  readonly caveats: readonly string[]
  /** Every policy over random halves, starting with the profile's own. */
  readonly evaluation: Evaluation
  /** The profile's own policy under other budgets, ordered by beta. */
  readonly path: readonly FrontierPoint[]
  /** Null if the file does not allow an audit. */
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

/** The results of one certificate, made from one half of the questions, on the other half. */
export interface HeldOutFigures {
  readonly calibration: number
  readonly debates: number
  readonly acted: number
  /** Bound on the error among the debates acted on. Null if the bound is vacuous or the profile is `total`. */
  readonly actedError: number | null
  /** The classes of the profile `total`, and the share acted on at other settings. Null for other profiles. */
  readonly total: TotalFigures | null
  readonly waterfall: Waterfall
  readonly certified: CertifiedBins
  readonly paths: BoundPaths
  /** The cells, or the states that act in a plane or on a line. Null for `total` and for states with more coordinates. */
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
  /** Seed of the split that made the certificate of the figures. */
  readonly seed: number
  readonly methodVersion: number
  readonly packageVersion: string
}

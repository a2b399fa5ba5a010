import {
  type CalibrateOptions,
  type Certificate,
  calibrate,
  clopperPearsonInterval,
  halves,
  replay,
} from '@quorate/certificate'
import type { CalibrationPanels } from './calibration-panels.ts'

/** What a certificate can do, as far as its own rows can tell. */
export interface CertificateOutlook {
  /** Cells that let a debate act, of those that its rows fell into; null for a certificate without cells. */
  readonly cells: { readonly acting: number; readonly of: number } | null
  /** A certificate from one half of the questions on the other half; null with too few of them. */
  readonly heldOut: HeldOut | null
}

export interface HeldOut {
  readonly debates: number
  readonly acted: Share
  /** Acted on and wrong, of all debates. */
  readonly wrong: Share
}

export interface Share {
  readonly count: number
  readonly share: number
  readonly lower: number
  readonly upper: number
}

const FEWEST_DEBATES = 20
const LEVEL = 0.95
/** Of the one split that is tried. */
const SPLIT_SEED = 7

export function certificateOutlook(
  certificate: Certificate,
  { panels, questionOf }: CalibrationPanels,
  options: CalibrateOptions,
): CertificateOutlook {
  const heldOut = panels.panels.length < FEWEST_DEBATES ? null : tryHalf({ panels, questionOf }, options)
  return { cells: certificate.kind === 'cells' ? cellsOf(certificate, panels) : null, heldOut }
}

function cellsOf(certificate: Certificate, { panels }: CalibrationPanels['panels']): CertificateOutlook['cells'] {
  const acts = new Map<string, boolean>()
  for (const panel of panels) {
    for (let round = 1; round <= certificate.rounds; round++) {
      const look = certificate.look(panel, round)
      if (look.kind !== 'step' || look.step.cell === undefined) continue
      const { lower, threshold, cell } = look.step
      acts.set(`${round} ${cell} ${panel.record.group ?? ''}`, lower !== null && lower >= threshold)
    }
  }
  return { acting: [...acts.values()].filter(Boolean).length, of: acts.size }
}

function tryHalf(
  { panels: { reading, panels }, questionOf }: Pick<CalibrationPanels, 'panels' | 'questionOf'>,
  options: CalibrateOptions,
): HeldOut {
  const keys = panels.map(({ record }) => questionOf(record.id))
  const { train, test } = halves(keys, SPLIT_SEED)
  const rowsOf = (rows: Uint32Array) => ({ reading, panels: Array.from(rows).flatMap((row) => panels[row] ?? []) })
  const tested = rowsOf(test)
  const certificate = calibrate(rowsOf(train), { ...options, questionOf })
  const { actedAt } = replay(certificate, tested).at(options.budget)
  let acted = 0
  let wrong = 0
  for (const [row, { record, rounds }] of tested.panels.entries()) {
    const round = actedAt[row] ?? 0
    if (round === 0) continue
    acted += 1
    if (rounds[round - 1]?.prediction !== record.gold) wrong += 1
  }
  const debates = tested.panels.length
  return { debates, acted: shareOf(acted, debates), wrong: shareOf(wrong, debates) }
}

function shareOf(count: number, of: number): Share {
  const { lower, upper } = clopperPearsonInterval(count, of, LEVEL)
  return { count, share: count / of, lower, upper }
}

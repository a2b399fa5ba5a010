import type { CalibrateOptions, Elicitation } from '@quorate/certificate'
import type { Store } from '../../store/store.ts'
import { foundRun } from '../find-run.ts'
import { labelledIds, makeCounted } from './attempts.ts'
import { type CalibrationPanels, calibrationPanels } from './calibration-panels.ts'
import { type MadeCertificate, makeCertificate } from './make-certificate.ts'
import { knownOf, readingOf } from './panel-fingerprint.ts'
import { debatesOfRun } from './recorded-debates.ts'
import { recordedPanel } from './recorded-panel.ts'

export interface Calibration extends MadeCertificate {
  readonly debates: number
  /** Of the debates, those that failed after their first round. */
  readonly padded: number
  readonly dropped: CalibrationPanels['dropped']
  readonly reading: CalibrationPanels['reading']
}

export interface RunCalibration {
  readonly runId: string
  readonly options: CalibrateOptions
  readonly beliefs: Elicitation | undefined
  /** Accept that several models answered for one agent. */
  readonly mixedModels?: boolean
}

/** A certificate from the debates of a run; the fingerprint says which panel held them. */
export async function calibrateRun(store: Store, asked: RunCalibration): Promise<Calibration> {
  const { runId, options, beliefs, mixedModels = false } = asked
  const run = await foundRun(store, runId)
  const panel = recordedPanel(run)
  const reading = beliefs ?? (panel === null ? undefined : readingOf(panel.elicitation))
  const debates = await calibrationPanels(debatesOfRun(store, run), {
    where: `run ${run.id}`,
    beliefs: reading,
    mixedModels,
    profile: options.profile,
    ...(panel === null ? {} : { rounds: panel.rounds }),
  })
  const known = panel === null ? {} : knownOf(panel)
  const { panels, padded, dropped, reading: read } = debates
  const made = await makeCounted(store, {
    ids: labelledIds(debates),
    options: { ...options, ...known },
    make: (counted) => makeCertificate(debates, counted),
    fileOf: ({ certified }) => certified.file,
  })
  return { ...made, debates: panels.panels.length, padded, dropped, reading: read }
}

import type { CalibrateOptions, Elicitation } from '@quorate/certificate'
import type { Store } from '../store/store.ts'
import { type CalibrationPanels, calibrationPanels } from './calibration-panels.ts'
import { foundRun } from './found-run.ts'
import { type MadeCertificate, makeCertificate } from './make-certificate.ts'
import { modelsOf, promptsDigest, readingOf } from './panel-fingerprint.ts'
import { debatesOfRun } from './recorded-debates.ts'
import { recordedPanel } from './recorded-panel.ts'

export interface Calibration extends MadeCertificate {
  readonly debates: number
  readonly dropped: CalibrationPanels['dropped']
}

export interface RunCalibration {
  readonly runId: string
  readonly options: CalibrateOptions
  readonly beliefs: Elicitation | undefined
}

/** A certificate from the debates of a run; the fingerprint says which panel held them. */
export async function calibrateRun(store: Store, { runId, options, beliefs }: RunCalibration): Promise<Calibration> {
  const run = await foundRun(store, runId)
  const panel = recordedPanel(run)
  const reading = beliefs ?? (panel === null ? 'given' : readingOf(panel.elicitation))
  const debates = await calibrationPanels(debatesOfRun(store, run), {
    where: `run ${run.id}`,
    beliefs: reading,
    ...(panel === null ? {} : { rounds: panel.rounds }),
  })
  const known = panel === null ? {} : { models: modelsOf(panel), prompts: promptsDigest(panel) }
  const { panels, dropped } = debates
  return { ...makeCertificate(debates, { ...options, ...known }), debates: panels.panels.length, dropped }
}

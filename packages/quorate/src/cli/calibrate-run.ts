import type { CalibrateOptions, Elicitation } from '@quorate/certificate'
import { calibrationPanels } from '../runs/calibration-panels.ts'
import { makeCertificate } from '../runs/make-certificate.ts'
import { modelsOf, promptsDigest, readingOf } from '../runs/panel-fingerprint.ts'
import { debatesOfRun } from '../runs/recorded-debates.ts'
import { recordedPanel } from '../runs/recorded-panel.ts'
import type { Store } from '../store/store.ts'
import type { Calibration } from './calibrate-command.ts'
import { foundRun } from './write-export.ts'

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

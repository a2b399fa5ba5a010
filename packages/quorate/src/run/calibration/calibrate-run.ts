import type { BeliefReading, CalibrateOptions, RelativeChoice } from '@quorate/certificate'
import type { Store } from '../../store/store.ts'
import { recordedSample } from '../exchange/regrade-sample.ts'
import { findRun } from '../find-run.ts'
import { labelledIds, makeCounted } from './attempts.ts'
import { type CalibrationDebates, calibrationDebates } from './calibration-debates.ts'
import { type MadeCertificate, makeCertificate } from './make-certificate.ts'
import { knownOf, readingOf } from './panel-fingerprint.ts'
import { debatesOfRun } from './recorded-debates.ts'
import { recordedPanel } from './recorded-panel.ts'
import { audited } from './regraded.ts'

export interface Calibration extends MadeCertificate {
  readonly debates: number
  /** How many of the debates failed after their first round. */
  readonly padded: number
  readonly dropped: CalibrationDebates['dropped']
  readonly reading: CalibrationDebates['reading']
}

export interface RunCalibration {
  readonly runId: string
  readonly options: CalibrateOptions
  readonly beliefs: BeliefReading | undefined
  /** Beta is a multiple of the panel's own error, and at most the declared beta. */
  readonly relative?: RelativeChoice | undefined
  /** Whether several models may have answered for one agent. */
  readonly mixedModels?: boolean
  /** A CSV file in which people graded debates of the model again. */
  readonly regrades?: string | undefined
}

/** Makes a certificate from the debates of a run. Its fingerprint identifies their panel. */
export async function calibrateRun(store: Store, asked: RunCalibration): Promise<Calibration> {
  const { runId, options, beliefs, relative, mixedModels = false } = asked
  const run = await findRun(store, runId)
  const panel = recordedPanel(run)
  const reading = beliefs ?? (panel === null ? undefined : readingOf(panel.elicitation))
  const recorded = await audited(debatesOfRun(store, run, { beliefs: reading }), {
    file: asked.regrades,
    key: run.id,
    sample: recordedSample(store, run.id),
    source: `--run ${run.id}`,
  })
  const debates = await calibrationDebates(recorded, {
    where: `run ${run.id}`,
    beliefs: reading,
    mixedModels,
    profile: options.profile,
    ...(panel === null ? {} : { rounds: panel.rounds }),
  })
  const known = panel === null ? {} : knownOf(panel)
  const { padded, dropped, reading: fileReading } = debates
  const made = await makeCounted(store, {
    ids: labelledIds(debates),
    options: { ...options, ...known },
    make: (counted) => makeCertificate(debates, counted, relative),
    fileOf: ({ certified }) => certified.file,
  })
  return { ...made, debates: debates.read.debates.length, padded, dropped, reading: fileReading }
}

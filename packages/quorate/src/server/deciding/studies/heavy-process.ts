import { audit } from '@quorate/certificate'
import { readDebateFile } from '../../../files/read-debate-file.ts'
import { calibrationDebates } from '../../../run/calibration/calibration-debates.ts'
import { sealCertified } from '../../../run/calibration/certified.ts'
import { calibrated } from '../../../run/calibration/make-certificate.ts'
import { debatesOfFile } from '../../../run/calibration/recorded-debates.ts'
import { errorSentence } from '../../../text/error-sentence.ts'
import type { HeavyResult, HeavyWork } from './heavy-work.ts'

// The entry point of a child process. It does the work that it is sent, sends the result, and is then killed by its parent. It
// exits by itself if the parent is gone.
process.once('disconnect', () => process.exit())
process.on('message', (work: HeavyWork) => void answer(work))

async function answer(work: HeavyWork): Promise<void> {
  process.send?.(await resultOf(work).catch(failed), (error: Error | null) => error && process.exit())
}

async function resultOf(work: HeavyWork): Promise<HeavyResult> {
  const { path } = work
  if (work.kind === 'audit') {
    const { read, questionOf } = await readDebateFile(path, { beliefs: work.beliefs })
    return { kind: 'audit', audit: audit(read, { ...work.options, questionOf }) }
  }
  const { read, questionOf, contents, served, dropped, reading } = await calibrationDebates(debatesOfFile(path), {
    where: work.where,
    beliefs: work.beliefs,
    profile: work.options.profile,
  })
  const { certificate, relative } = calibrated({ read, questionOf }, work.options, work.relative)
  return { kind: 'calibrate', file: sealCertified(certificate, { contents, served, relative }).file, dropped, reading }
}

/** Errors lose their class between processes, but the message must be preserved. */
function failed(error: unknown): HeavyResult {
  return { kind: 'failed', message: errorSentence(error) }
}

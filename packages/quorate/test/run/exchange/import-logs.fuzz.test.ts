import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../../../../tools/lane.ts'
import { FileError } from '../../../src/files/file-error.ts'
import { importLogs, LOG_FORMATS, type LogFormat } from '../../../src/run/exchange/import-logs.ts'
import { temporaryFolder } from '../../store/temporary-folder.ts'
import { helmState, inspectArchive, inspectLog, lmEvalSample, madeUpAnswers, promptfooResults } from './made-up-logs.ts'

const ANSWERS = madeUpAnswers(2)
const CHOICE = { only: null, fields: {}, sizes: null, isPartial: false, isMixed: false }
const WHOLE: Readonly<Record<LogFormat, unknown>> = {
  'lm-eval': lmEvalSample(ANSWERS[0] as (typeof ANSWERS)[number], 0, 0), // there are two
  inspect: inspectLog(ANSWERS, 0),
  promptfoo: promptfooResults(ANSWERS),
  helm: helmState(ANSWERS, 0),
}

/** The value with something else at one place, found by following `steps`. */
function changed(value: unknown, steps: readonly number[], other: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined || typeof value !== 'object' || value === null) return other
  const keys = Object.keys(value)
  if (keys.length === 0) return other
  const at = keys[step % keys.length] ?? ''
  const inner = changed(Reflect.get(value, at), rest, other)
  return Array.isArray(value) ? value.with(Number(at), inner) : { ...value, [at]: inner }
}

async function problemOf(format: LogFormat, path: string): Promise<unknown> {
  return importLogs(format, [path], CHOICE).then(
    () => null,
    (error: unknown) => error,
  )
}

test.each(LOG_FORMATS)('a broken log of %s is read or refused with one line', async (format) => {
  const path = join(temporaryFolder(), 'log.json')
  const steps = fc.array(fc.nat(50), { minLength: 1, maxLength: 7 })
  await fc.assert(
    fc.asyncProperty(steps, fc.jsonValue(), async (places, other) => {
      writeFileSync(path, JSON.stringify(changed(WHOLE[format], places, other)))
      const problem = await problemOf(format, path)
      if (problem === null) return
      expect(problem).toBeInstanceOf(FileError)
      expect((problem as FileError).message).toMatch(/^[^\n]+$/) // a FileError, see above
    }),
    { numRuns: sized({ short: 60, full: 200 }), seed: 1 },
  )
})

test('an archive with a wrong byte gives the same debates, or is refused', async () => {
  const path = join(temporaryFolder(), 'log.eval')
  const whole = inspectArchive(inspectLog(ANSWERS, 0))
  writeFileSync(path, whole)
  const { debates } = await importLogs('inspect', [path], CHOICE)
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
      const broken = Buffer.from(whole)
      broken[at] = byte
      writeFileSync(path, broken)
      const read = await importLogs('inspect', [path], CHOICE).catch((error: unknown) => error)
      if (read instanceof FileError) return
      expect(read).toMatchObject({ debates })
    }),
    { numRuns: sized({ short: 200, full: 600 }), seed: 1 },
  )
})

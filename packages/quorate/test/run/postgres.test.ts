import { describe, test } from 'vitest'
import { privatePostgres } from '../store/private-postgres.ts'
import { testOn } from '../store/store-under-test.ts'

const postgres = await privatePostgres()

if (postgres.kind === 'absent') {
  test.skip(`runs and calls on PostgreSQL: ${postgres.reason}`, () => {})
} else {
  // The same tests as on SQLite, on one server.
  describe('on PostgreSQL', async () => {
    testOn(postgres.fresh)
    await import('./calls/pay-for-call.test.ts')
    await import('./verify/bundle.test.ts')
    await import('./calibration/calibrate-run.test.ts')
    await import('./calibration/calibration-debates.test.ts')
    await import('./decide-run.test.ts')
    await import('./exchange/imports.test.ts')
    await import('./redacted-run.test.ts')
    await import('./run-questions.test.ts')
    await import('./take-over.test.ts')
  })
}

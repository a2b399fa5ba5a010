import { afterAll, expect, test } from 'vitest'
import { startPostgres } from '../../../../../tools/postgres.ts'
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts'
import { nextOf } from '../../review/review-fixture.ts'
import { verified } from './verified.ts'
import { ANN, calibrated, certifyInput, decided, FRESH, inputOf, serveWorld } from './world.ts'

const start = await startPostgres({ fsync: 'off' })

if (start.kind === 'absent') test.skip(`the engine on PostgreSQL: ${start.reason}`, () => {})
else {
  const { url, stop } = start.postgres
  afterAll(() => stop())

  test('on PostgreSQL questions are decided, debates certified, labels counted and ledgers whole', async () => {
    const store = await openPostgres(url, { now: () => 0, connections: 3 })
    const { services } = await serveWorld({ store, plan: { spotCheckRate: 0.3 } })
    const views = await Promise.all(
      FRESH.slice(0, 8).map(async (question) => {
        const { id } = await services.decisions.ask(inputOf(question), { who: ANN, idempotencyKey: null })
        return decided(services, id)
      }),
    )
    const { debates } = await calibrated()
    const answers = await Promise.all(
      debates.slice(0, 8).flatMap((debate) => [1, 2].map(() => services.certify(certifyInput(debate, 4), ANN))),
    )
    expect(new Set(answers.map(({ decisionId }) => decisionId)).size).toBe(8)
    const { item } = await nextOf(services.reviews, ANN)
    const option = item?.options[0]?.name ?? ''
    const submitted = await services.reviews.submit(item?.id ?? '', ANN, { outcome: { kind: 'option', option } })
    expect(submitted.kind).toBe('done')
    const first = await store.decisions.findById(answers[0]?.decisionId ?? '')
    for (const runId of [views[0]?.runId ?? '', first?.runId ?? '']) {
      expect(await verified(store, runId)).toMatchObject({ kind: 'whole', decisions: 8 })
    }
    expect((await services.monitor()).automation.acted?.of).toBe(16)
    await services.stop()
    await store.close()
  })
}

import { expect, test } from 'vitest'
import { memoryStore } from '../../run/run-world.ts'
import { verified } from '../deciding/verified.ts'
import { ANN, calibrated, certifyInput, serveWorld } from '../deciding/world.ts'

test('a run for posted debates that lacks its first ledger row gets it from the process that continues the run', async () => {
  const store = memoryStore()
  let ended = 0
  const append: typeof store.ledger.append = async (entry, fence) => {
    // As if a process ended between the two commits that open a run.
    if (entry.kind === 'run-opened' && entry.body['certify'] === true && ended++ === 0) throw new Error('ended')
    return store.ledger.append(entry, fence)
  }
  const { services } = await serveWorld({ store: { ...store, ledger: { ...store.ledger, append } } })
  const [debate] = (await calibrated()).debates
  if (debate === undefined) throw new Error('no debate')
  await expect(services.certify(certifyInput(debate, 4), ANN)).rejects.toThrow('ended')
  const { decisionId } = await services.certify(certifyInput(debate, 4), ANN)
  const { runId = '' } = (await store.decisions.findById(decisionId)) ?? {}
  expect(await verified(store, runId)).toMatchObject({ kind: 'whole', decisions: 1 })
})

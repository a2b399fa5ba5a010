import { beforeAll, describe, expect, test } from 'vitest'
import type { ResolvedConfig } from '../../../src/config/resolve-config.ts'
import type { Certified } from '../../../src/run/calibration/certified.ts'
import type { ServiceTools } from '../../../src/server/services.ts'
import { POLICY_CHAIN } from '../../../src/store/decisions/policy-events.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import type { Store } from '../../../src/store/store.ts'
import { certifiedFrom, memoryStore } from '../../run/run-world.ts'
import { ANN, calibrated, certifyInput, LABELLED, serveWorld } from './world.ts'

let other: Certified

beforeAll(async () => {
  const store = openSqlite(':memory:', { now: () => 0 })
  other = await certifiedFrom(store, LABELLED, { budget: { beta: 0.25, delta: 0.03, epsilon: 0.02 } })
  await store.close()
})

test('a start whose activation is not in the store is refused, and blames no other process', async () => {
  const store = memoryStore()
  const { certified } = await calibrated()
  const lost = { ...store, policy: { ...store.policy, append: async () => null } }
  await expect(serveWorld({ store: lost })).rejects.toThrow(
    `expected the certificate ${certified.id} of --certificate to be the active one, but no certificate is active: ` +
      'its activation is not in the store. Check that the store can be written, and start again',
  )
})

describe('a certificate that nobody activated', () => {
  test('decides nothing: the request is refused with an explanation, and works once a person has activated it', async () => {
    const { services, store } = await serveWorld()
    await store.certificates.save({ id: other.id, file: other.file, at: 1, runId: null })
    const { debates } = await calibrated()
    const [debate] = debates
    if (debate === undefined) throw new Error('no debate')
    const input = certifyInput(debate, 4, { certificate: other.id })
    await expect(services.certify(input, ANN)).rejects.toMatchObject({
      parts: {
        status: 409,
        detail: `Nobody has ever activated the certificate ${other.id}, so it may not decide.`,
        next: expect.stringContaining(`/v1/certificates/${other.id}/activate`),
        errors: [{ field: 'certificate' }],
      },
    })
    expect(await store.runs.arrivals(other.id)).toBe(0)
    await services.certificates.activate(other.id, { who: ANN, note: 'tried' })
    expect(await services.certify(input, ANN)).toMatchObject({ certificate: other.id, isShadow: false })
  })
})

test('the page of a certificate shows how a relative beta was chosen, and the options of tight and paper', async () => {
  const { services, store } = await serveWorld()
  const local = { profile: 'paper', envelope: { lipschitz: 0.1 }, kFamily: [16, 32] } as const
  const source = openSqlite(':memory:', { now: () => 0 })
  const made = await certifiedFrom(
    source,
    LABELLED,
    { ...local, budget: { beta: 0.6, delta: 0.03, epsilon: 0.02 } },
    1.5,
  )
  await source.close()
  await store.certificates.save({ id: made.id, file: made.file, at: 1, runId: null })
  const view = await services.certificates.find(made.id)
  expect(view?.claim.join(' ')).toMatch(
    /Beta is 1\.5 times the panel's error after the last round, [\d.]+ \([\d.–]+\) % of/,
  )
  expect(view?.claim.join(' ')).toContain('at most the mean of the betas that such sets select')
  expect(view?.fingerprint).toMatchObject({ options: expect.stringContaining('envelope lipschitz:0.1') })
  expect(view?.budget.beta).toBeCloseTo(1.5 * (made.relative?.error ?? Number.NaN), 5)
})

describe('a config with another promise than the certificate', () => {
  const settings = { spotCheckRate: 0, maxClaims: 1000, seed: 1 }
  const budget = { beta: 0.2, delta: 0.03, epsilon: 0.02 }
  const declaring = (declared: Partial<ResolvedConfig>): Partial<ServiceTools> => {
    const promised = { budget, profile: 'cells', deferGroups: [], ...declared } as const
    return { settings: { budget, profile: 'cells', ...settings, declared: promised } }
  }

  test.each([
    [
      'another budget',
      { budget: { ...budget, beta: 0.1 } },
      ['beta 0.2, delta 0.03, profile cells', 'beta 0.1, delta 0.03, profile cells'],
    ],
    [
      'another profile',
      { profile: 'total' as const },
      ['beta 0.2, delta 0.03, profile cells', 'beta 0.2, delta 0.03, profile total'],
    ],
  ])('is logged at the start, and the certificate decides: %s', async (_, declared, [promise, other]) => {
    const store = memoryStore()
    const { id } = (await calibrated()).certified
    const named = await serveWorld({ store, tools: declaring(declared) })
    expect(named.services.certificateAtStart).toEqual({ id, promise, declared: other })
    const active = await serveWorld({ store, certified: null, tools: declaring(declared) })
    expect(active.services.certificateAtStart).toEqual({ id, promise, declared: other })
    const same = await serveWorld({ store, certified: null, tools: declaring({}) })
    expect(same.services.certificateAtStart).toMatchObject({ id, declared: null })
  })

  test('prevents the start if the certificate would act on a group that is reserved for people', async () => {
    const [store, tools] = [memoryStore(), declaring({ deferGroups: ['law'] })]
    const words = /deferGroups of the config has "law".*would act/
    await expect(serveWorld({ store, tools })).rejects.toThrow(words)
    expect(await store.policy.list({ before: null, limit: 9 })).toEqual([])
    await serveWorld({ store })
    await expect(serveWorld({ store, certified: null, tools })).rejects.toThrow(words)
  })

  test('prevents the activation of a certificate that would act on a group that is reserved for people', async () => {
    const store = memoryStore()
    const { services } = await serveWorld({ store, certified: null, tools: declaring({ deferGroups: ['law'] }) })
    await store.certificates.save({ id: other.id, file: other.file, at: 1, runId: null })
    await expect(services.certificates.activate(other.id, { who: ANN, note: 'tried' })).rejects.toMatchObject({
      parts: { status: 409, detail: expect.stringContaining('"law"') },
    })
    expect(await store.policy.list({ before: null, limit: 9 })).toEqual([])
  })
})

describe('a certificate of serve --certificate', () => {
  test('is activated by the operator, whom the events and the ledger name', async () => {
    const { store } = await serveWorld({ tools: { operator: 'olga' } })
    const { certified } = await calibrated()
    const activation = { kind: 'activate', by: 'olga', certificateId: certified.id }
    expect(await store.policy.list({ before: null, limit: 9 })).toMatchObject([
      { ...activation, note: expect.stringContaining('serve --certificate') },
    ])
    const [row] = await store.ledger.list(POLICY_CHAIN, { after: 0, limit: 9 })
    const { kind, body } = JSON.parse(row?.line ?? '')
    expect([kind, body.by, body.certificateId]).toEqual(['activate', 'olga', certified.id])
  })

  test('prevents the start if it is not the active one afterwards', async () => {
    const store = memoryStore()
    const { append } = store.policy
    const contested: Store = {
      ...store,
      policy: {
        ...store.policy,
        async append(change) {
          const appended = await append(change)
          const event = { ...change.event, id: `${change.event.id}-other`, certificateId: other.id, by: 'bob' }
          await append({ ...change, event })
          return appended
        },
      },
    }
    await expect(serveWorld({ store: contested })).rejects.toThrow(
      new RegExp(`to be the active one, got ${other.id}.*start again to activate yours, or leave out --certificate`),
    )
  })
})

test('a suspension that somebody releases before its response is an error, not a success', async () => {
  const store = memoryStore()
  const { append } = store.policy
  const contested: Store = {
    ...store,
    policy: {
      ...store.policy,
      async append(change) {
        const appended = await append(change)
        if (change.event.kind !== 'suspend') return appended
        const event = { ...change.event, id: `${change.event.id}-released`, kind: 'release' as const, by: 'bob' }
        await append({ ...change, event, messages: [], unless: 'not-suspended' })
        return appended
      },
    },
  }
  const { services } = await serveWorld({ store: contested })
  await expect(services.policy.suspend('stop', ANN)).rejects.toMatchObject({
    parts: {
      status: 409,
      detail:
        'The suspension was written, but it is not in effect: the policy is live, and the last event is: release by bob.',
    },
  })
})

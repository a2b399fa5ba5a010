import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { jsonBytes } from '../../src/server/long-answers.ts'
import { ask, bearer } from './ask.ts'
import { fakeServices } from './fake-services.ts'
import { startTestServer } from './test-server.ts'

test('one request of a token is answered at a time, four wait and the others are refused; other tokens do not wait', async () => {
  const point = await fakeServices().operatingPoint({ hidesBlind: false })
  const ends: (() => void)[] = []
  let [running, most] = [0, 0]
  const server = await startTestServer({
    requiresToken: true,
    services: {
      async operatingPoint() {
        running += 1
        most = Math.max(most, running)
        await new Promise<void>((resolve) => ends.push(resolve))
        running -= 1
        return point
      },
    },
  })
  onTestFinished(() => server.stop())
  const [busy, other] = [await server.token({ role: 'viewer' }), await server.token({ role: 'viewer' })]
  const read = (token: string) => ask(server.port, '/v1/operating-point', { headers: bearer(token) })
  const refused: Awaited<ReturnType<typeof read>>[] = []
  const asked = Array.from({ length: 20 }, async () => {
    const answer = await read(busy)
    if (answer.status !== 200) refused.push(answer)
    return answer.status
  })
  // They are refused before any other is answered.
  while (refused.length < 15) await new Promise((resolve) => setImmediate(resolve))
  expect(refused.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(refused.map(() => [429, '2']))
  expect([running, ends.length]).toEqual([1, 1])
  expect((await ask(server.port, '/healthz')).status).toBe(200)
  const elsewhere = read(other)
  while (ends.length < 2) await new Promise((resolve) => setImmediate(resolve))
  let isOver = false
  const all = Promise.all(asked).then((statuses) => {
    isOver = true
    return statuses
  })
  while (!isOver) {
    for (const end of ends.splice(0)) end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await elsewhere).status).toBe(200)
  expect((await all).filter((status) => status === 200)).toHaveLength(5)
  // One of each token.
  expect(most).toBe(2)
})

test('an object is serialised once, however often it is requested', async () => {
  const point = await fakeServices().operatingPoint({ hidesBlind: false })
  let written = 0
  const certificate = {
    toJSON() {
      written += 1
      return 'a certificate'
    },
  }
  const services = { operatingPoint: async () => made }
  const made = { ...point, certificate }
  const server = await startTestServer({ services })
  onTestFinished(() => server.stop())
  for (let time = 0; time < 3; time++) {
    const answer = await ask(server.port, '/v1/operating-point')
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json()).toMatchObject({ certificate: 'a certificate' })
  }
  expect(written).toBe(1)
})

test('writing in pieces gives the bytes of JSON.stringify, and other requests get a turn in between', async () => {
  const text = async (value: object) => Buffer.from(await jsonBytes(value)).toString('utf8')
  await fc.assert(
    fc.asyncProperty(
      fc.object({ values: [fc.double(), fc.string({ unit: 'binary' }), fc.constant(undefined)] }),
      async (value) => {
        expect(await text(value)).toBe(JSON.stringify(value))
      },
    ),
  )
  const long = {
    ids: Array.from({ length: 20_001 }, (_, at) => `${at}`),
    none: [],
    deep: { date: new Date(0), is: null },
  }
  let turns = 0
  let isOver = false
  const others = async () => {
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      turns += 1
    }
  }
  const counting = others()
  expect(await text(long)).toBe(JSON.stringify(long))
  isOver = true
  await counting
  expect(turns).toBeGreaterThanOrEqual(4)
})

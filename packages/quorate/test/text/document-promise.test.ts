import { calibrate, type TotalCertificate } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { certifiedField, declaredField, documentPromise } from '../../src/text/document-promise.ts'

const debates = simulatePanel({ count: 900, seed: 3 }).map((debate, row) => ({
  ...debate,
  group: row % 3 === 0 ? 'mail' : row % 3 === 1 ? 'phone' : 'shop',
}))
const options = { profile: 'total', budget: { beta: 0.2, delta: 0.05, epsilon: 0 } } as const

describe('the promise about documents', () => {
  test('adds up the shares and the chances of its fields, whatever a certificate is made of', () => {
    const certificate = calibrate(debates, options)
    const field = certifiedField('total', certificate)
    expect(field).toEqual({ name: 'total', beta: 0.2, failure: expect.closeTo(0.03, 12) })
    expect(declaredField('total', certificate.promise)).toEqual(field)
    const both = documentPromise([field, { ...field, name: 'payer' }])
    expect(both.beta).toBe(0.4)
    expect(both.confidence).toBeCloseTo(0.94, 12)
    expect(both.words).toMatch(/With 94\.0 % confidence at most 40\.0 % of new documents/u)
  })

  test('needs every group that acts to keep its own promise', () => {
    const certificate: TotalCertificate = calibrate(debates, { ...options, groupConditional: true })
    const acting = [...certificate.outcomes.values()].filter(({ chosen }) => chosen !== null).length
    expect(acting).toBeGreaterThan(1)
    // Each group is tested at the full level, so for all groups together only the sum is known.
    expect(certifiedField('total', certificate).failure).toBeCloseTo(acting * 0.03, 12)
  })

  test('is never a confidence below none', () => {
    const field = { name: 'a', beta: 0.4, failure: 0.4 }
    expect(documentPromise([field, field, field])).toMatchObject({ beta: expect.closeTo(1.2, 12), confidence: 0 })
  })
})

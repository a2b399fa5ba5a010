import {
  missedByJudge,
  type PromiseLevels,
  promiseLevels,
  type TotalCertificate,
  type TotalPromise,
} from '@quorate/certificate'
import { plainText } from './plain-text.ts'

/*
 * The promise about documents that have several fields, by a union bound. If a document is acted on with a wrong
 * critical field, at least one field was acted on and wrong. So the shares of the fields add up, and so do the
 * probabilities that a certificate does not keep its promise, however the fields depend on each other.
 */

/** The promise about one critical field. */
export interface FieldPromise {
  readonly name: string
  /** At most this share of the documents is acted on with this field wrong. */
  readonly beta: number
  /** The probability that this does not hold. */
  readonly failure: number
}

export interface DocumentPromise {
  readonly beta: number
  readonly confidence: number
  readonly words: string
}

/** The promise before anything is counted. With `isJudged`, the errors that the grading model misses will be added later. */
export function declaredField(name: string, promise: TotalPromise): FieldPromise {
  return { name, beta: promise.beta, failure: failureOf(promiseLevels(promise), promise.isJudged) }
}

/**
 * What a certificate adds to the promise about documents. With a promise for each group, it covers all documents only
 * if every group that is acted on keeps its own. So the share that the model misses is the largest of any group, and
 * the probabilities of failure add up.
 */
export function certifiedField(name: string, certificate: TotalCertificate): FieldPromise {
  const { promise, levels, outcomes, groupConditional } = certificate
  const acting = [...outcomes.values()].filter(({ chosen }) => chosen !== null).length
  const parts = groupConditional ? acting : 1
  return {
    name,
    beta: promise.beta + missedByJudge(certificate),
    failure: parts * failureOf(levels, promise.isJudged),
  }
}

function failureOf({ totalConfidence, judgeConfidence }: PromiseLevels, isJudged: boolean): number {
  return 1 - totalConfidence + (isJudged ? 1 - judgeConfidence : 0)
}

/** The promise of the critical fields together. */
export function documentPromise(critical: readonly FieldPromise[]): DocumentPromise {
  const beta = critical.reduce((sum, field) => sum + field.beta, 0)
  const confidence = Math.max(
    0,
    critical.reduce((left, { failure }) => left - failure, 1),
  )
  const parts = critical.map((field) => `${upTo(field.beta)} ${plainText(field.name)}`)
  const words =
    `With ${atLeast(confidence)} confidence at most ${upTo(Math.min(1, beta))} of new documents drawn the same way are acted ` +
    `on with a wrong critical field (${parts.join(' + ')}: the shares of the fields add up, and so do the chances that one is not kept).`
  return { beta, confidence, words }
}

/** A limit in per cent, rounded up. */
function upTo(share: number): string {
  return `${(Math.ceil(share * 1000 - 1e-9) / 10).toFixed(1)} %`
}

/** A confidence in per cent, rounded down. */
function atLeast(share: number): string {
  return `${(Math.floor(share * 1000 + 1e-9) / 10).toFixed(1)} %`
}

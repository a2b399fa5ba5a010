import { differenceText } from '../../run/calibration/panel-differences.ts'
import { type DecidedFacts, decidedClaim } from '../../run/decided-claim.ts'
import type { Deciding } from '../../run/deciding.ts'
import { countText, probabilityText } from '../../text/number-text.ts'
import { hangingText, wrapText } from '../../text/wrap-text.ts'
import { type RunSummary, resultJson, resultText } from './run-text.ts'

export interface DecidedRun {
  readonly result: RunSummary
  readonly deciding: Deciding
  readonly facts: DecidedFacts
}

/** The result of a decide run as text: its counts, cautions about panel and certificate, and what may be claimed. */
export function decidedText({ result, deciding, facts }: DecidedRun, width: number): string {
  const { sentences } = decidedClaim(deciding, facts)
  const about = [...queueLines(result, facts, width), ...cautionLines(deciding, nobody('was', facts.sampled), width)]
  const claim = sentences.flatMap((sentence) => wrapText(sentence, width))
  return `${resultText(result, width)}${about.map((line) => `${line}\n`).join('')}\n${claim.join('\n')}\n`
}

/** Cautions about a run that has not started. Empty if there are none. */
export function foreseenLines(deciding: Deciding, sampled: number, width: number): readonly string[] {
  return cautionLines(deciding, nobody('is', sampled), width)
}

/** Cautions about a run that is over, for `quorate run`. Empty if there are none. */
export function decidedCautions(deciding: Deciding, sampled: number): readonly Caution[] {
  return cautions(deciding, nobody('was', sampled))
}

/** The result of a decide run for `--json`. */
export function decidedJson({ result, deciding, facts }: DecidedRun) {
  const { certificate, id, mixed } = deciding.certified
  const { isPromised, sentences } = decidedClaim(deciding, facts)
  const { seen, unexpected, sampled, repeated } = facts
  return {
    ...resultJson(result),
    certificateId: id,
    budget: certificate.budget,
    sampled,
    repeated,
    mismatch: deciding.differences,
    overridden: { seen, unexpected, allowMismatch: deciding.allowMismatch },
    mixed,
    isPromised,
    claim: sentences,
  }
}

/** What waits for review, and where. */
function queueLines(
  { tally, isShadow }: RunSummary,
  { sampled, repeated }: DecidedFacts,
  width: number,
): readonly string[] {
  const deferred = Object.values(tally.deferred).reduce((sum, count) => sum + count, 0)
  const words = `${countText(deferred)} deferred, ${countText(sampled)} sampled for a spot check`
  const place = isShadow ? 'A shadow run leaves nothing to review' : 'They wait in the review queue of the store'
  const twice =
    repeated === 0 || isShadow
      ? ''
      : `. Another run has decided ${countText(repeated)} of these questions too. "quorate run" decides no question twice`
  return hangingText(
    'Review    ',
    `${deferred + sampled === 0 ? 'nothing to review' : `${words}. ${place}`}${twice}`,
    width,
  )
}

/** As wide as the words in the margin of `resultText`. */
const MARGIN = 10

function cautionLines(deciding: Deciding, asked: string, width: number): readonly string[] {
  return cautions(deciding, asked).flatMap(([word, text]) => hangingText(word.padEnd(MARGIN), text, width))
}

function cautions(deciding: Deciding, asked: string): readonly Caution[] {
  return [...mismatchCautions(deciding, asked), ...idleCautions(deciding, asked)]
}

/** A word for the margin, which is empty if the text continues the one before, and a text. */
type Caution = readonly [string, string]

function mismatchCautions(deciding: Deciding, asked: string): readonly Caution[] {
  const [first, ...others] = deciding.differences
  if (first === undefined) return []
  const shown = [`not the calibrated one: ${differenceText(first)}`, ...others.map(differenceText)]
  return [...shown, nextStep(deciding, asked)].map((text, index) => [index === 0 ? 'Panel' : '', text])
}

function nextStep({ allowMismatch, isReadable }: Deciding, asked: string): string {
  const again = 'Debate labelled questions with this panel and calibrate again'
  const deferred = `Everything is deferred and ${asked}.`
  if (!isReadable)
    return `${deferred} ${again}. --allow-mismatch cannot help, because the certificate knows agents by their names.`
  if (allowMismatch) return 'Decided without a promise (--allow-mismatch, recorded).'
  return `${deferred} ${again}, or pass --allow-mismatch to decide without a promise (recorded).`
}

function idleCautions({ certified, upFront }: Deciding, asked: string): readonly Caution[] {
  if (upFront !== 'budget-infeasible' && upFront !== 'too-few-labels') return []
  const { certificate } = certified
  const why =
    upFront === 'budget-infeasible'
      ? 'its budget is too small to act on anything'
      : `none of its bounds reaches ${probabilityText(certificate.threshold)}, whatever the panel answers: its labelled ` +
        'debates are too few, or too often wrong'
  const next = `Everything is deferred and ${asked}. quorate plan estimates how many labels are missing.`
  return [['Idle', `This certificate cannot act on anything: ${why}. ${next}`]]
}

function nobody(verb: 'was' | 'is', sampled: number): string {
  const exception = sampled === 0 ? '' : `, except about ${countText(sampled)} sampled for a spot check`
  return `nobody ${verb} asked${exception}`
}

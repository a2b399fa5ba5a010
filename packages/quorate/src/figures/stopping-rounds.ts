import { countText, percentText } from '../text/number-text.ts'
import { type Drawing, emptyDrawing } from './drawing.ts'
import { intervalLine, type MarkKind, outcomeMark, type Rate, thresholdLine } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { linearScale, type Scale, spanDownTo, ticks, tickTexts } from './scale.ts'

/** The rounds in which the debates of one test half end, on average over the splits. */
export interface StoppingRounds {
  readonly threshold: number
  readonly debates: number
  readonly deferred: number
  readonly rounds: readonly StoppingRound[]
  /** Explains the counts. By default they are those of a test half. */
  readonly note?: string
}

export interface StoppingRound {
  readonly round: number
  readonly acted: number
  /** Share right among those acted on in this round. Null if nothing was acted on. */
  readonly accuracy: Rate | null
}

const ROW = 34
const TOP = 44

/** Right actions and wrong actions by round and all deferrals, beside the accuracy with its interval and the threshold. */
export function stoppingRoundsFigure(stopping: StoppingRounds, width: number): Drawing {
  const head = { name: 'stopping-rounds', title: 'In which round debates end', width }
  const { threshold, debates, deferred, rounds } = stopping
  if (!(debates > 0)) return emptyDrawing(head, 'No debate was held out.')
  const isNarrow = width < 480
  const label = isNarrow ? 52 : 64
  const middle = label + (width - label) * (isNarrow ? 0.5 : 0.56)
  const most = Math.max(deferred, ...rounds.map(({ acted }) => acted), 1)
  const count = linearScale({ from: 0, to: most }, { from: label, to: middle - (isNarrow ? 42 : 56) })
  const span = spanDownTo(
    threshold,
    rounds.flatMap(({ accuracy }) => accuracy?.low ?? []),
  )
  const share = linearScale(span, { from: middle + 8, to: width - 16 })
  const bottom = TOP + rounds.length * ROW
  const values = ticks(span, isNarrow ? 2 : 5)
  const texts = tickTexts(values)
  const note = stopping.note ?? `Of ${countText(Math.round(debates))} debates in a test half, mean of the splits.`
  return {
    ...head,
    height: bottom + ROW + 22,
    description: `${rounds.map(spoken).join(' ')} Deferred: ${countText(Math.round(deferred))} of ${countText(Math.round(debates))}.`,
    content: markup`<text class="soft" x="${label}" y="14">debates</text><text class="soft" x="${middle + 8}" y="14">${isNarrow ? 'share right' : 'share right of those acted on'}</text>${values.map((value, index) => markup`<line class="rule" x1="${share(value)}" x2="${share(value)}" y1="${TOP - 4}" y2="${bottom}"/><text class="soft small middle" x="${share(value)}" y="${TOP - 10}">${texts[index] ?? ''}</text>`)}${thresholdLine(share(threshold), TOP - 4, bottom)}${rounds.map((round, index) => roundRow(round, { y: TOP + index * ROW, label, count, share, threshold }))}${deferredRow(stopping, { y: bottom, label, count })}<text class="soft small" x="0" y="${bottom + ROW + 16}">${note}</text>`,
    isEmpty: false,
  }
}

interface Row {
  readonly y: number
  readonly label: number
  readonly count: Scale
}

function roundRow({ round, acted, accuracy }: StoppingRound, row: Row & { share: Scale; threshold: number }): Markup {
  const { y, label, count, share, threshold } = row
  const right = accuracy === null ? 0 : acted * accuracy.value
  const split = count(right)
  const end = count(acted)
  const middle = y + ROW / 2
  const outcome: MarkKind = accuracy !== null && accuracy.high < threshold ? 'wrong' : 'act'
  const wrong = acted - right
  return markup`<text x="0" y="${middle + 4}">round ${String(round)}</text><rect class="act bar" x="${label}" y="${y + 6}" width="${split - label}" height="${ROW - 14}"><title>${countText(Math.round(right))} acted on and right</title></rect><rect class="wrong bar" x="${split}" y="${y + 6}" width="${end - split}" height="${ROW - 14}"><title>${countText(Math.round(wrong))} acted on and wrong</title></rect><text class="small" x="${end + 6}" y="${middle + 4}">${countText(Math.round(acted))}</text>${
    accuracy === null
      ? markup`<text class="soft small" x="${share(0) + 4}" y="${middle + 4}">none</text>`
      : markup`<g><title>${spoken({ round, acted, accuracy })}</title>${intervalLine(accuracy, share, { y: middle, outcome })}${outcomeMark(outcome, { x: share(accuracy.value), y: middle, radius: 5.5 })}</g>`
  }`
}

function deferredRow({ deferred, debates }: StoppingRounds, { y, label, count }: Row): Markup {
  const middle = y + ROW / 2
  return markup`<text x="0" y="${middle + 4}">deferred</text><rect class="defer bar" x="${label}" y="${y + 6}" width="${count(deferred) - label}" height="${ROW - 14}"/><text class="small" x="${count(deferred) + 6}" y="${middle + 4}">${countText(Math.round(deferred))} <tspan class="soft">(${percentText(deferred / debates)} %)</tspan></text>`
}

function spoken({ round, acted, accuracy }: StoppingRound): string {
  const right =
    accuracy === null
      ? 'none'
      : `${percentText(accuracy.value)} % right (${percentText(accuracy.low)} to ${percentText(accuracy.high)})`
  return `Round ${round}: ${countText(Math.round(acted))} acted on, ${right}.`
}

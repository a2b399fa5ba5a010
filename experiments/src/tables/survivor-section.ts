import { readDebates } from '@quorate/certificate'
import { readRecorded } from '../data/recorded.ts'
import { type Share, survivorEffect } from '../evaluation/survivors.ts'
import { decimal, markdownTable } from './markdown.ts'

export function survivorSection(): string {
  const rounds = survivorEffect(readDebates(readRecorded('dylan-mmlu-3agents')))
  const table = markdownTable(
    ['round', 'all rows at (1, 1)', 'right', '95 %', 'first unanimous here', 'right', '95 %', 'gap'],
    rounds.map(({ round, unanimous, firstUnanimous }) => [
      String(round),
      ...shareCells(unanimous),
      ...shareCells(firstUnanimous),
      decimal(unanimous.accuracy - firstUnanimous.accuracy),
    ]),
  )
  return `## 1. Survivors: what the paper's state forgets

\`dylan-mmlu-3agents\`, all 2,809 questions. A panel is unanimous when every agent answers and all agree; it then stands at
the paper's state (p1, margin) = (1, 1), in whatever round and with whatever history. Neighbourhoods at that state count all
rows there. A rule that acts on unanimity has already acted on those that were there before: what it still meets are the
panels that are unanimous for the first time. The gap is what epsilon = .02 would have to cover.

${table}
`
}

function shareCells({ right, count, accuracy, low, high }: Share): string[] {
  return [`${right} of ${count}`, decimal(accuracy), `${decimal(low)}-${decimal(high)}`]
}

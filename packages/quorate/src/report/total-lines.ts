import {
  actingClasses,
  className,
  groupName,
  silenceSentences,
  type TotalCertificate,
  type TotalOutcome,
} from '@quorate/certificate'
import { atMostText, countText, leastProbabilityText, percentText } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'

/** What a `total` certificate acts on among the debates it counted, class by class, and what it refuses and why. */
export function totalLines(certificate: TotalCertificate): (readonly [word: string, text: string])[] {
  const { promise, deferredGroups, groupConditional } = certificate
  const names = deferredGroups.map((group) => plainText(group)).join(', ')
  // Groups are removed after the counting, and nothing is counted again.
  const before =
    deferredGroups.length === 0 || groupConditional
      ? ''
      : `, before groups that always go to a person (${names}) are taken out`
  const lines: (readonly [string, string])[] = []
  for (const [group, outcome] of certificate.outcomes) {
    const of = group === null ? '' : ` (${plainText(groupName(group))})`
    if (group !== null && deferredGroups.includes(group)) {
      lines.push([`Acts${of}`, 'on nothing: this group always goes to a person'])
      continue
    }
    lines.push([`Acts${of}`, `${actsText(outcome, promise)}${before}`])
    for (const each of actingClasses(outcome)) {
      const counts = `${countText(each.right)} of ${countText(each.rows)} right, at least ${leastProbabilityText(each.lower)}`
      lines.push(['Class', `${className(each)}: ${counts}`])
    }
  }
  for (const [group, { answers, judge }] of certificate.outcomes) {
    const of = group === null ? '' : ` (${plainText(groupName(group))})`
    if (judge !== null) {
      const found = `${countText(judge.misjudged)} of ${countText(judge.audited)} checked debates`
      lines.push([
        `Judge${of}`,
        `some policy acts on an answer that the model calls right and a person does not in ${found}, at most ` +
          `${atMostText(judge.upper)} % of all questions${group === null ? '' : ' of this group'}`,
      ])
    }
    for (const { answer, beta, rows, stopped, wrong, state } of answers) {
      const counts = `${countText(stopped)} of ${countText(rows)} such debates, ${countText(wrong)} wrong`
      const kept =
        state === 'acts' ? `It is acted on within its budget of ${percentText(beta)} %` : 'It always goes to a person'
      lines.push([`Answer${of}`, `${plainText(answer)}: the policy stops on ${counts}. ${kept}`])
    }
  }
  for (const sentence of silenceSentences(certificate)) lines.push(['Refused', plainText(sentence)])
  return lines
}

/** The share of the budget that was used: the rate of wrong actions, among all questions or those acted on, divided by beta. */
export function budgetUsedText(wrong: number, of: number, beta: number): string {
  return of === 0 ? 'none of the budget' : `${Math.round((100 * wrong) / of / beta)} % of the budget`
}

function actsText({ acted, wrong, rows }: TotalOutcome, { kind, beta }: TotalCertificate['promise']): string {
  const share = rows === 0 ? '' : ` (${percentText(acted / rows)} %)`
  const used = budgetUsedText(wrong, kind === 'selective' ? acted : rows, beta)
  const shares =
    rows === 0 || acted === 0
      ? ''
      : ` (${percentText(wrong / rows)} % of all, ${percentText(wrong / acted)} % of those acted on)`
  return `on ${countText(acted)} of the ${countText(rows)} debates kept for counting${share}, ${countText(wrong)} of them wrong${shares}: ${used}`
}

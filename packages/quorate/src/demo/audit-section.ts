import type { Audit } from '@quorate/certificate'
import { verdictTable } from '../report/audit-table.ts'
import { countText } from '../report/number-text.ts'
import type { OperatingPoint } from '../report/operating-point.ts'
import { rateText } from '../report/operating-table.ts'
import { heading, type PageFrame } from '../report/page-frame.ts'
import { plainText } from '../report/plain-text.ts'
import { wrapText } from '../report/wrap-text.ts'

export interface Audited {
  readonly found: Audit
  readonly ours: OperatingPoint
  readonly beta: number
  readonly shift: boolean
}

/** Whether the new questions contradict what the certificate assumes of them. */
export function auditSection({ found, ours, beta, shift }: Audited, page: PageFrame): string[] {
  const isFalsified = found.verdict === 'falsified'
  const asked = `Labelled and new questions together, in the order of arrival, against what the claim assumes:`
  const findings = found.checks.filter(({ verdict }) => verdict === 'falsified')
  const told = findings.flatMap(({ name, finding }) => wrapText(`${name}: ${plainText(finding)}`, page.width))
  const silent = shift
    ? 'The mix of questions did change, and these checks did not find it: a check that finds nothing proves nothing.'
    : 'Nothing is contradicted, which proves nothing. With --shift the new questions are of another mix.'
  return [
    heading('Audit', page),
    ...wrapText(asked, page.width),
    ...verdictTable(found.checks, page.style),
    ...told,
    ...(isFalsified ? ['', ...wrapText(consequence(ours, beta), page.width)] : wrapText(silent, page.width)),
  ]
}

/** Only what this version does: it does not hold a policy by itself. */
function consequence({ name, wrong, questions }: OperatingPoint, beta: number): string {
  return (
    `The claim is void for these questions: they are not drawn like those that were calibrated on. Here ${name} acted ` +
    `wrongly on ${countText(wrong)} of ${countText(questions)}, ${rateText(wrong, questions)} %, where beta allows ` +
    `${(100 * beta).toFixed(1)} %. So the policy would be held: hand every question to a person until a certificate is made ` +
    'from questions drawn like these. This version says so and ends with exit code 30; it does not hold a policy by itself.'
  )
}

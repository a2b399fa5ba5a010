import type { Audit } from '@quorate/certificate'
import { verdictTable } from '../report/audit-table.ts'
import type { OperatingPoint } from '../report/operating-point.ts'
import { rateText } from '../report/operating-table.ts'
import { countText } from '../text/number-text.ts'
import { heading, type PageFrame } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { wrapText } from '../text/wrap-text.ts'

export interface Audited {
  readonly found: Audit
  readonly ours: OperatingPoint
  readonly beta: number
  readonly shift: boolean
  /** By the monitors, before the audit. */
  readonly isHeld: boolean
}

/** Whether the new questions contradict what the certificate assumes of them. */
export function auditSection(audited: Audited, page: PageFrame): string[] {
  const { found, shift } = audited
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
    ...(isFalsified ? ['', ...wrapText(consequence(audited), page.width)] : wrapText(silent, page.width)),
  ]
}

function consequence({ ours: { name, wrong, questions }, beta, isHeld }: Audited): string {
  const policy = isHeld
    ? 'The policy is held already: the monitors saw it first.'
    : 'The monitors have not seen enough to hold the policy: hold it by hand, on the first page of the app.'
  return (
    `The claim is void for these questions: they are not drawn like those that were calibrated on. Here ${name} acted ` +
    `wrongly on ${countText(wrong)} of ${countText(questions)}, ${rateText(wrong, questions)} %, where beta allows ` +
    `${(100 * beta).toFixed(1)} %. ${policy} What helps is a certificate from questions drawn like these.`
  )
}

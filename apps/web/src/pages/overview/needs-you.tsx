import type { MonitorView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import type { ReactNode } from 'react'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Mark, type MarkName } from '../../parts/mark.tsx'
import { ageText, declaredText } from '../../parts/number-text.ts'
import { Term } from '../../parts/term.tsx'
import { evidenceText } from './evidence-text.ts'

interface Item {
  readonly id: string
  readonly mark: MarkName
  readonly what: ReactNode
  readonly detail: ReactNode
  readonly link: string
  readonly action: string
  readonly isMain?: boolean
  readonly key?: string
}

const MAX_ITEMS = 5
/** A test is listed from this share of its alarm level on. */
const WATCH_FROM = 0.5

/** Everything that waits for a person, the most urgent first. */
export function NeedsYou({ view }: { readonly view: MonitorView }) {
  // Alarms come first. The sort keeps the order of the others.
  const all = itemsOf(view).toSorted((left, right) => Number(right.mark === 'wrong') - Number(left.mark === 'wrong'))
  const items = all.slice(0, MAX_ITEMS)
  if (items.length === 0) return null
  return (
    <section className="section">
      <header>
        <h2>Needs you</h2>
        <span className="right">
          {items.length < all.length ? `${items.length} of ` : ''}
          {all.length === 1 ? '1 item' : `${all.length} items`}
        </span>
      </header>
      <ul className="todo">
        {items.map(({ id, mark, what, detail, link, action, isMain = false, key }) => (
          <li key={id}>
            <Mark name={mark} />
            <span>
              <strong>{what}</strong> <span className="soft">{detail}</span>
            </span>
            <a className={`button ${isMain ? 'primary' : ''}`} href={link}>
              {action} {key === undefined ? null : <kbd className="only-wide">{key}</kbd>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function itemsOf(view: MonitorView): readonly Item[] {
  const { at, queue, spotChecks, drift, missing, mismatch, warnings, others } = view
  const items: Item[] = []
  if (mismatch.length > 0) {
    items.push({
      id: 'panel',
      mark: 'wrong',
      link: linkTo('certificates'),
      action: 'Look',
      what: 'The panel is not the one that was calibrated.',
      detail: (
        <>
          It differs in <DataText text={mismatch.join(', ')} />. Spot checks do not count the decisions of such a panel.
        </>
      ),
    })
  }
  items.push(...alarmsOfActions(view))
  if (queue.waiting > 0) {
    items.push({
      id: 'queue',
      mark: 'defer',
      link: linkTo('review'),
      action: 'Review',
      isMain: true,
      key: 'G V',
      what:
        queue.waiting === 1
          ? '1 question waits for a person.'
          : `${countText(queue.waiting)} questions wait for a person.`,
      detail: queue.oldestAt === null ? null : `The oldest has waited ${ageText(at - queue.oldestAt)}.`,
    })
  }
  const { labelled } = spotChecks.uncounted
  if (labelled > 0) {
    items.push({
      id: 'uncounted',
      mark: 'none',
      link: linkTo('review'),
      action: 'Open',
      what: `${labelled === 1 ? '1 spot check is' : `${countText(labelled)} spot checks are`} labelled but not counted yet.`,
      detail: 'An earlier one is still open. Review gives it to the next person.',
    })
  }
  if (drift !== null && drift.wealth >= drift.alarmAt * WATCH_FROM) {
    items.push({
      id: 'drift',
      mark: drift.isAlarm ? 'wrong' : 'none',
      link: linkTo('debates'),
      action: 'Look',
      what: (
        <>
          <Term name="drift">Drift</Term> is at {evidenceText(drift.wealth)}. The alarm is at{' '}
          {evidenceText(drift.alarmAt)}.
        </>
      ),
      detail: 'New debates look different from the labelled ones after round 1.',
    })
  }
  if (missing !== null && missing.limit !== null && missing.wealth >= missing.alarmAt * WATCH_FROM) {
    items.push({
      id: 'missing',
      mark: missing.isAlarm ? 'wrong' : 'none',
      link: linkTo('debates'),
      action: 'Look',
      what: 'Answers lack a confidence more often than in calibration.',
      detail: `The check is at ${evidenceText(missing.wealth)}. The alarm is at ${evidenceText(missing.alarmAt)}.`,
    })
  }
  for (const { certificate, alarm, drift: drifted } of others) {
    if (!alarm.isAlarm && drifted?.isAlarm !== true) continue
    items.push({
      id: certificate,
      mark: 'wrong',
      link: linkTo('certificates', [certificate]),
      action: 'Look',
      what: (
        <>
          Certificate <DataText text={certificate.slice(0, 6)} /> raised an alarm.
        </>
      ),
      detail: 'It is not the active one, but requests name it.',
    })
  }
  for (const warning of warnings) {
    items.push({
      id: warning,
      mark: 'none',
      link: linkTo('certificates'),
      action: 'Look',
      what: 'Note:',
      detail: <DataText text={warning} />,
    })
  }
  return items
}

/** The tests of spot checks: of all actions, and of the classes, which are one item together. */
function alarmsOfActions({ alarm, classes, certificate }: MonitorView): readonly Item[] {
  const link = linkTo('debates', [], { outcome: 'wrong' })
  const items: Item[] = []
  if (certificate !== null && alarm.wealth >= alarm.alarmAt * WATCH_FROM) {
    items.push({
      id: 'actions',
      mark: alarm.isAlarm ? 'wrong' : 'none',
      link,
      action: 'Look',
      what: `The evidence of too many wrong actions is at ${evidenceText(alarm.wealth)}. The alarm is at ${evidenceText(alarm.alarmAt)}.`,
      detail: `It counts against the promise of at most ${declaredText(certificate.promised)} % of all questions.`,
    })
  }
  const [first, ...more] = classes
    .filter((one) => one.alarm.wealth >= one.alarm.alarmAt * WATCH_FROM)
    .toSorted((left, right) => right.alarm.wealth - left.alarm.wealth)
  if (first !== undefined) {
    items.push({
      id: 'classes',
      mark: [first, ...more].some((one) => one.alarm.isAlarm) ? 'wrong' : 'none',
      link,
      action: 'Look',
      what: (
        <>
          The evidence that the class “<DataText text={first.name} />” is below its floor is at{' '}
          {evidenceText(first.alarm.wealth)}. The alarm is at {evidenceText(first.alarm.alarmAt)}.
        </>
      ),
      detail:
        more.length === 0
          ? null
          : `${countText(more.length)} more ${more.length === 1 ? 'class is' : 'classes are'} near the alarm or beyond it.`,
    })
  }
  return items
}

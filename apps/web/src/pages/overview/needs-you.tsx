import type { MonitorView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import type { ReactNode } from 'react'
import { linkTo } from '../../app/router.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Mark, type MarkName } from '../../parts/mark.tsx'
import { ageText } from '../../parts/number-text.ts'
import { Term } from '../../parts/term.tsx'

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
  const items = itemsOf(view).slice(0, MAX_ITEMS)
  if (items.length === 0) return null
  return (
    <section className="section">
      <header>
        <h2>Needs you</h2>
        <span className="right">{items.length === 1 ? '1 item' : `${items.length} items`}</span>
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

function itemsOf({ at, queue, spotChecks, drift, missing, mismatch, warnings, others }: MonitorView): readonly Item[] {
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
      mark: 'none',
      link: linkTo('debates'),
      action: 'Look',
      what: (
        <>
          <Term name="drift">Drift</Term> is at {shortText(drift.wealth)}. The alarm is at {shortText(drift.alarmAt)}.
        </>
      ),
      detail: 'New debates look different from the labelled ones after round 1.',
    })
  }
  if (missing !== null && missing.limit !== null && missing.wealth >= missing.alarmAt * WATCH_FROM) {
    items.push({
      id: 'missing',
      mark: 'none',
      link: linkTo('debates'),
      action: 'Look',
      what: 'Answers lack a confidence more often than in calibration.',
      detail: `The check is at ${shortText(missing.wealth)}. The alarm is at ${shortText(missing.alarmAt)}.`,
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

function shortText(value: number): string {
  return value >= 1000 ? value.toExponential(1) : String(Number(value.toPrecision(3)))
}

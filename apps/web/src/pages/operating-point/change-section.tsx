import { countText } from 'quorate/figures'
import { OutcomeMark } from '../../parts/outcome-mark.tsx'
import { TEXT } from '../../text/english.ts'
import type { Change, Outcomes } from './replay/change.ts'

/** What would come out otherwise than with the certificate in use. */
export function ChangeSection({ change }: { readonly change: Change }) {
  const { more, fewer, earlier, later } = change
  const isSame = more.count + fewer.count + earlier + later === 0
  return (
    <section className="operating-change" aria-labelledby="operating-change">
      <h2 id="operating-change">{TEXT.operating.change}</h2>
      {isSame ? (
        <p>{TEXT.operating.same}</p>
      ) : (
        <ul>
          <li>
            <OutcomeMark outcome="act" /> <strong>{TEXT.operating.more(countText(more.count))}</strong>
            <Counts outcomes={more} />
          </li>
          <li>
            <OutcomeMark outcome="defer" /> <strong>{TEXT.operating.fewer(countText(fewer.count))}</strong>
            <Counts outcomes={fewer} />
          </li>
          <li>{TEXT.operating.moved(countText(earlier), countText(later))}</li>
        </ul>
      )}
      <p className="soft">{TEXT.operating.ofAll(countText(change.debates))}</p>
    </section>
  )
}

function Counts({ outcomes: { count, right, wrong, unlabelled } }: { readonly outcomes: Outcomes }) {
  if (count === 0) return null
  return <span>: {TEXT.operating.outcomes(countText(right), countText(wrong), countText(unlabelled))}</span>
}

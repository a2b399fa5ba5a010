import './operating-point.css'
import { countText } from 'quorate/figures'
import { useCallback, useEffect, useState } from 'react'
import { linkTo } from '../../app/router.ts'
import { OutcomeMark } from '../../parts/outcome-mark.tsx'
import { Empty, Failure, Loading } from '../../parts/page-states.tsx'
import { TEXT } from '../../text/english.ts'
import { CaveatSection, ClaimSection, ConfigSection, CountedSection, LEFT_OUT } from './about-sections.tsx'
import { Controls } from './controls.tsx'
import { FrontierSection } from './frontier-section.tsx'
import type { Change, Outcomes } from './replay/change.ts'
import type { Decided, ReplayFacts } from './replay/create-replay.ts'
import { ResultFigures, spanText, Tiles } from './results.tsx'
import { ClassesSection, DialsSection } from './total-sections.tsx'
import { type Replaying, useReplay } from './use-replay.ts'
import { useSettings } from './use-settings.ts'

/** Sliders that decide every stored debate again, in the browser. */
export function OperatingPointPage() {
  const replaying = useReplay()
  const { status, facts, error } = replaying.state
  return (
    <section className="section">
      <header>
        <h2>{TEXT.operating.title}</h2>
        <span className="right">{TEXT.operating.lead}</span>
      </header>
      {status === 'failed' ? <Failure error={error} again={replaying.again} /> : null}
      {status === 'loading' ? <Loading what={TEXT.operating.data} /> : null}
      {status === 'none' ? (
        <Empty title={TEXT.operating.noCertificate}>
          <p>{TEXT.operating.noCertificateNext}</p>
          <pre className="operating-code">{TEXT.operating.noCertificateCommands}</pre>
          <p>
            <a href={linkTo('certificates')}>{TEXT.operating.noCertificateLink}</a>
          </p>
        </Empty>
      ) : null}
      {status === 'ready' && facts !== null ? <Ready facts={facts} replaying={replaying} /> : null}
    </section>
  )
}

function Ready({ facts, replaying }: { readonly facts: ReplayFacts; readonly replaying: Replaying }) {
  const { state, decide, askPath } = replaying
  const [settings, change] = useSettings(facts.declared)
  useEffect(() => decide(settings), [settings, decide])
  const askOurs = useCallback(() => askPath(settings.profile), [settings.profile, askPath])
  if (facts.debates === 0) return <NoDebates facts={facts} />
  const decided = state.decided?.decided ?? null
  return (
    <>
      <div className="operating">
        <Controls facts={facts} settings={settings} change={change} decided={decided} />
        <section className="operating-result" aria-labelledby="operating-result" aria-busy={decided === null}>
          <h2 id="operating-result">{TEXT.operating.result}</h2>
          <WorkLine replaying={replaying} debates={facts.debates} />
          {decided === null ? null : (
            <>
              <Tiles decided={decided} />
              <ResultFigures decided={decided} />
              <Spoken decided={decided} />
            </>
          )}
        </section>
      </div>
      {decided === null ? null : (
        <div className="operating-about">
          {decided.total === null ? null : <ClassesSection total={decided.total} />}
          {decided.total === null ? null : <DialsSection total={decided.total} settings={decided.settings} />}
          <ChangeSection change={decided.change} />
          <ConfigSection settings={settings} rounds={facts.rounds} />
          <ClaimSection decided={decided} />
          <div className="operating-stack">
            <CaveatSection decided={decided} facts={facts} />
            <CountedSection decided={decided} facts={facts} />
          </div>
        </div>
      )}
      {decided === null ? null : (
        <FrontierSection settings={settings} declaredBeta={facts.declared.beta} path={state.path} askPath={askOurs} />
      )}
    </>
  )
}

function NoDebates({ facts }: { readonly facts: ReplayFacts }) {
  const left = LEFT_OUT.filter((reason) => facts.leftOut[reason] > 0)
  return (
    <Empty title={TEXT.operating.noDebates}>
      <p>{TEXT.operating.noDebatesNext}</p>
      <pre className="operating-code">{TEXT.operating.noDebatesCommands}</pre>
      <ul>
        {facts.unfinished.short === 0 ? null : <li>{TEXT.operating.short(countText(facts.unfinished.short))}</li>}
        {left.map((reason) => (
          <li key={reason}>{TEXT.operating.leftOut[reason](countText(facts.leftOut[reason]))}</li>
        ))}
      </ul>
    </Empty>
  )
}

/** One line that always has its room: what is being done, what went wrong, or how long it took. */
function WorkLine({ replaying, debates }: { readonly replaying: Replaying; readonly debates: number }) {
  const { stage, undecided, decided } = replaying.state
  if (stage !== null) {
    const steps = ['reading', 'fitting', 'deciding'] as const
    return (
      <p className="operating-work" role="status">
        <progress max={steps.length} value={steps.indexOf(stage) + 0.5} aria-label={TEXT.operating.stages[stage]} />{' '}
        {TEXT.operating.stages[stage]}
      </p>
    )
  }
  if (undecided !== null) {
    return (
      <p className="operating-work operating-undecided" role="alert">
        <strong>{TEXT.operating.undecided}.</strong> {undecided.reason}
      </p>
    )
  }
  const time = decided === null ? '' : decided.milliseconds.toFixed(decided.milliseconds < 10 ? 1 : 0)
  return (
    <p className="operating-work soft">
      {decided === null ? TEXT.operating.stages.deciding : TEXT.operating.decidedIn(countText(debates), time)}
    </p>
  )
}

const REST_MS = 700

/** For those who do not see the tiles: said once the sliders rest. */
function Spoken({ decided: { figures } }: { readonly decided: Decided }) {
  const words = TEXT.operating.spoken(spanText(figures.acted), spanText(figures.wrong))
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(words), REST_MS)
    return () => clearTimeout(timer)
  }, [words])
  return (
    <p className="hidden" role="status">
      {said}
    </p>
  )
}

/** What would come out otherwise than with the certificate in use. */
function ChangeSection({ change }: { readonly change: Change }) {
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

import './settings.css'
import type { SettingsView } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { useSession, useSettings } from '../../api/queries.ts'
import { CurrentUser } from '../../app/current-user.tsx'
import { linkTo } from '../../app/router.ts'
import { ThemeButton } from '../../app/theme-button.tsx'
import { DataText } from '../../parts/data-text.tsx'
import { declaredText } from '../../parts/number-text.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { Term } from '../../parts/term.tsx'
import { Tokens } from './tokens.tsx'

/** Answers: who may do what, and which hosts does the server talk to? */
export function SettingsPage() {
  const settings = useSettings()
  const session = useSession()
  const isAdmin = session.data?.role === 'admin'
  return (
    <>
      <PageHead
        title="Settings"
        tools={
          <>
            <ThemeButton />
            <a className="button" href="/docs">
              HTTP API
            </a>
          </>
        }
      />
      <div className="body settings">
        {session.data === undefined ? null : (
          <section className="section only-narrow">
            <h2>You</h2>
            <p>
              <CurrentUser session={session.data} />
            </p>
            <p>
              <a className="button" href={linkTo('runs')}>
                Runs
              </a>
            </p>
          </section>
        )}
        {isAdmin ? (
          <Tokens canMake={session.data?.kind === 'human'} />
        ) : (
          <section className="section">
            <h2>People and tokens</h2>
            <p className="soft">Only an admin sees who has a token.</p>
          </section>
        )}
        {settings.data === undefined ? (
          settings.isError ? (
            <Failure error={settings.error} again={() => void settings.refetch()} />
          ) : (
            <Loading what="the settings" />
          )
        ) : (
          <Shown settings={settings.data} />
        )}
      </div>
    </>
  )
}

function Shown({ settings }: { readonly settings: SettingsView }) {
  const { panel, hosts, declared, missing } = settings
  return (
    <>
      <section className="section">
        <header>
          <h2>Panel</h2>
          <span className="right">changed in quorate.config.yaml</span>
        </header>
        {panel === null ? (
          <p className="soft">
            No panel answers questions here{missing === null ? '.' : ': '}
            {missing === null ? null : <DataText text={missing} />}
          </p>
        ) : (
          <table className="stack">
            <thead>
              <tr>
                <th scope="col">Agent</th>
                <th scope="col">Model</th>
                <th scope="col">Host</th>
              </tr>
            </thead>
            <tbody>
              {panel.agents.map(({ name, model, host }) => (
                <tr key={name}>
                  <th scope="row">
                    <DataText text={name} />
                  </th>
                  <td>
                    <DataText text={model} />
                  </td>
                  <td>{host === null ? <span className="faint">none</span> : <DataText text={host} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section className="section">
        <h2>Review</h2>
        <dl className="facts">
          <dt>
            <Term name="spotCheck">Spot checks</Term>
          </dt>
          <dd>{declaredText(settings.spotCheckRate)} % of all questions, chosen at random when they arrive</dd>
          <dt>Second readings</dt>
          <dd>
            {settings.secondShare === 0
              ? 'none'
              : `${declaredText(settings.secondShare)} % of the reviewed items, by another person`}
          </dd>
          <dt>Claims</dt>
          <dd>
            at most {countText(settings.maxClaims)} items per person, each for {Math.round(settings.claimMs / 60_000)}{' '}
            min
          </dd>
          <dt>Undo</dt>
          <dd>{Math.round(settings.undoMs / 1000)} s after a submit</dd>
          {declared === null ? null : (
            <>
              <dt>Declared budget</dt>
              <dd>
                <Term name="beta">beta</Term> {declaredText(declared.beta)} %
                {declared.floor === null ? null : (
                  <>
                    , <Term name="floor">floor</Term> {declaredText(declared.floor)} %
                  </>
                )}
                , profile <DataText text={declared.profile} />
              </dd>
              <dt>Always to people</dt>
              <dd>
                {declared.deferGroups.length === 0 ? (
                  'no group'
                ) : (
                  <DataText text={`groups: ${declared.deferGroups.join(', ')}`} />
                )}
              </dd>
            </>
          )}
        </dl>
      </section>
      <section className="section">
        <header>
          <h2>Outside hosts</h2>
          <span className="right">every host that this server sends something to</span>
        </header>
        {hosts.length === 0 ? (
          <p className="soft">None: nothing leaves this machine.</p>
        ) : (
          <table className="stack">
            <thead>
              <tr>
                <th scope="col">Host</th>
                <th scope="col">What is sent</th>
              </tr>
            </thead>
            <tbody>
              {hosts.map(({ host, what }) => (
                <tr key={`${host} ${what}`}>
                  <th scope="row">
                    <DataText text={host} />
                  </th>
                  <td className="wide">{what}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  )
}

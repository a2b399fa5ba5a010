import './settings.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MadeToken, SettingsView, TokenRow } from 'quorate/contract'
import { countText } from 'quorate/figures'
import { type FormEvent, useState } from 'react'
import { request } from '../../api/client.ts'
import { useSession, useSettings, useTokens } from '../../api/queries.ts'
import { CurrentUser } from '../../app/frame.tsx'
import { linkTo } from '../../app/router.ts'
import { ThemeButton } from '../../app/theme-button.tsx'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { declaredText } from '../../parts/number-text.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Failure, Loading } from '../../parts/page-states.tsx'
import { Term } from '../../parts/term.tsx'

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
            at most {countText(settings.maxClaims)} items per person, each for {Math.round(settings.lockMs / 60_000)}{' '}
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

const ROLES = ['viewer', 'reviewer', 'admin'] as const
const KINDS = ['human', 'machine'] as const

function Tokens({ canMake }: { readonly canMake: boolean }) {
  const queries = useQueryClient()
  const tokens = useTokens(true)
  const revoking = useMutation({
    mutationFn: (id: string) => request<TokenRow>(`/v1/tokens/${encodeURIComponent(id)}/revoke`, { method: 'POST' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens'] }),
  })
  const rows = tokens.data?.items.filter(({ revokedAt }) => revokedAt === null) ?? []
  return (
    <section className="section">
      <header>
        <h2>People and tokens</h2>
        <span className="right">
          a viewer reads, a reviewer also asks and reviews, an admin also activates and suspends
        </span>
      </header>
      {tokens.isError ? <Failure error={tokens.error} again={() => void tokens.refetch()} /> : null}
      {tokens.data !== undefined && rows.length === 0 ? (
        <p className="soft">There is no token. Everybody who uses this machine works here as an admin without one.</p>
      ) : null}
      {rows.length === 0 ? null : (
        <table className="stack">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">Last used</th>
              <th scope="col">Expires</th>
              <th scope="col">
                <span className="hidden">Revoke</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, role, kind, lastUsedAt, expiresAt }) => (
              <tr key={id}>
                <th scope="row">
                  <DataText text={name} />
                </th>
                <td>
                  {role}, {kind}
                </td>
                <td className="gone">{lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />}</td>
                <td className="gone">{expiresAt === null ? 'never' : <Moment at={expiresAt} />}</td>
                <td className="number">
                  {canMake ? (
                    <button type="button" disabled={revoking.isPending} onClick={() => revoking.mutate(id)}>
                      Revoke<span className="hidden"> the token of {name}</span>
                    </button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {revoking.isError ? (
        <p className="bad" role="alert">
          {revoking.error.message}
        </p>
      ) : null}
      {canMake ? <NewToken /> : null}
    </section>
  )
}

/** Creates a token, which is shown once and stored nowhere in the browser. */
function NewToken() {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [role, setRole] = useState<(typeof ROLES)[number]>('reviewer')
  const [kind, setKind] = useState<(typeof KINDS)[number]>('human')
  const [days, setDays] = useState('90')
  const making = useMutation({
    mutationFn: () =>
      request<MadeToken>('/v1/tokens', {
        method: 'POST',
        body: { name: name.trim(), role, kind, days: days === '' ? null : Number(days) },
      }),
    onSuccess: () => {
      setName('')
      return queries.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') making.mutate()
  }
  return (
    <>
      <form className="new-token" onSubmit={submit}>
        <label>
          Name <input value={name} maxLength={64} required onChange={({ target }) => setName(target.value)} />
        </label>
        <label>
          Role{' '}
          <select
            value={role}
            onChange={({ target }) => setRole(ROLES.find((one) => one === target.value) ?? 'viewer')}
          >
            {ROLES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          For a{' '}
          <select value={kind} onChange={({ target }) => setKind(KINDS.find((one) => one === target.value) ?? 'human')}>
            {KINDS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Days{' '}
          <input
            type="number"
            min="1"
            max="3650"
            placeholder="never expires"
            value={days}
            onChange={({ target }) => setDays(target.value)}
          />
        </label>
        <button type="submit" className="primary" disabled={making.isPending}>
          {making.isPending ? 'Creating it …' : 'Create a token'}
        </button>
      </form>
      {making.isError ? (
        <p className="bad" role="alert">
          {making.error.message}
        </p>
      ) : null}
      {making.data === undefined ? null : (
        <div className="card made-token" role="status">
          <p>
            The token of <DataText text={making.data.name} />. Copy it now: it is not shown again.
          </p>
          <code>{making.data.token}</code>
          <p>
            <button type="button" onClick={() => making.reset()}>
              Done
            </button>
          </p>
        </div>
      )}
    </>
  )
}

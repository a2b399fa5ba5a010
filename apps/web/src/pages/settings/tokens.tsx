import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MadeToken, TokenRow } from 'quorate/contract'
import { type FormEvent, useState } from 'react'
import { request } from '../../api/client.ts'
import { useTokens } from '../../api/queries.ts'
import { DataText } from '../../parts/data-text.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Failure } from '../../parts/page-states.tsx'

const ROLES = ['viewer', 'reviewer', 'admin'] as const
const KINDS = ['human', 'machine'] as const

/** The tokens that are valid, which an admin can revoke, and a form for a new one. */
export function Tokens({ canMake }: { readonly canMake: boolean }) {
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

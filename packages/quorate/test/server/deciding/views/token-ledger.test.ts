import { expect, onTestFinished, test } from 'vitest'
import { LOCAL } from '../../../../src/server/access/identity.ts'
import { tokenService } from '../../../../src/server/deciding/views/settings-service.ts'
import type { ServiceTools } from '../../../../src/server/services.ts'
import { ACCESS_CHAIN } from '../../../../src/store/access.ts'
import { openSqlite } from '../../../../src/store/sqlite/open-sqlite.ts'
import { verifyChain } from '../../../store/verify-chain.ts'

test('creating or revoking a token over HTTP adds a ledger row in the same commit, without the secret', async () => {
  const store = openSqlite(':memory:', { now: () => 5 })
  onTestFinished(() => store.close())
  let ids = 0
  const tools = { store, now: () => 5, newId: () => `id-${ids++}`, newKey: () => 'ab'.repeat(32) }
  // as: only these are used
  const tokens = tokenService(tools as unknown as ServiceTools)
  const made = await tokens.create({ name: 'bot', role: 'admin', kind: 'machine' }, { ...LOCAL, name: 'ann' })
  expect(await store.tokens.findById(made.id)).toMatchObject({ madeBy: 'ann', kind: 'machine' })
  await expect(tokens.create({ name: 'bot', role: 'admin', kind: 'machine' }, LOCAL)).rejects.toThrow(
    /choose another name/u,
  )
  await tokens.revoke(made.id, LOCAL)
  await tokens.revoke(made.id, LOCAL)
  const rows = await store.ledger.list(ACCESS_CHAIN, { after: 0, limit: 10 })
  expect(rows.map(({ line }) => JSON.parse(line))).toMatchObject([
    { kind: 'token-made', body: { tokenId: made.id, name: 'bot', role: 'admin', kind: 'machine', by: 'ann' } },
    { kind: 'token-revoked', body: { tokenId: made.id, by: 'local' } },
  ])
  expect(verifyChain(rows).kind).toBe('whole')
  expect(JSON.stringify(rows)).not.toContain(made.token)
})

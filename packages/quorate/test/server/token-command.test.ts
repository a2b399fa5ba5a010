import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tokenCommand } from '../../src/cli/commands/token-command.ts'
import { UsageError } from '../../src/cli/usage-error.ts'
import { runMain } from '../cli/run-main.ts'

const folder = mkdtempSync(join(tmpdir(), 'quorate-token-'))
const database = join(folder, 'store.db')
afterAll(() => rmSync(folder, { recursive: true }))

const token = (...args: string[]) => runMain(['token', ...args, '--store', `sqlite:${database}`])
const createdSchema = z.object({ id: z.string(), token: z.string(), expiresAt: z.number().nullable() })

describe('quorate token', () => {
  test('creates one that is shown once and stored as a hash, lists it, and revokes it', async () => {
    const made = await token(
      'create',
      '--name',
      'mira',
      '--role',
      'reviewer',
      '--kind',
      'human',
      '--expires',
      '90d',
      '--json',
    )
    expect(made.status).toBe(0)
    const created = createdSchema.parse(JSON.parse(made.stdout))
    expect(created.token).toMatch(/^qt_[\w-]{43}$/)
    expect(readFileSync(database).includes(created.token)).toBe(false)
    const listed = await token('list')
    expect(listed.stdout).toMatch(/mira\s+reviewer\s+human\s+valid/)
    expect(listed.stdout).not.toContain(created.token)
    expect((await token('revoke', 'mira')).stdout).toContain('Revoked the token of mira')
    expect(JSON.parse((await token('list', '--json')).stdout)).toMatchObject({
      tokens: [{ name: 'mira', state: 'revoked' }],
    })
    expect((await token('revoke', 'mira')).status).toBe(1)
  })

  test('says how to use the new one, a person’s and a machine’s', async () => {
    const person = (await token('create', '--name', 'ann', '--role', 'viewer', '--kind', 'human')).stdout
    expect(person).toContain('Sign in with it at the address that serve prints')
    const program = (await token('create', '--name', 'robot', '--role', 'viewer', '--kind', 'machine')).stdout
    expect(program).toContain('The program sends it as the header "Authorization: Bearer TOKEN".')
    expect(program).toContain('only with --require-token')
  })

  test('names the store of the call in the command for a first one', async () => {
    const elsewhere = `sqlite:${join(folder, 'empty.db')}`
    const { stdout } = await runMain(['token', 'list', '--store', elsewhere])
    expect(stdout).toContain(`quorate token create --name NAME --role ROLE --kind KIND --store ${elsewhere}`)
  })

  test('refuses a name that another valid token has', async () => {
    const args = ['create', '--name', 'ci', '--role', 'viewer', '--kind', 'machine']
    expect((await token(...args)).status).toBe(0)
    const again = await token(...args)
    expect(again.status).toBe(1)
    expect(again.stderr).toContain('choose another name, or revoke that token')
  })

  test.each([
    [['create', '--role', 'viewer', '--kind', 'human'], '--name must be'],
    [['create', '--name', 'local', '--role', 'viewer', '--kind', 'human'], '--name must be'],
    [['create', '--name', 'a\u001b[31m', '--role', 'viewer', '--kind', 'human'], '--name must be'],
    [['create', '--name', 'a', '--role', 'king', '--kind', 'human'], '--role must be'],
    [['create', '--name', 'a', '--role', 'admin'], '--kind must be'],
    [['create', '--name', 'a', '--role', 'admin', '--kind', 'human', '--expires', 'soon'], '--expires must be'],
    [['revoke'], 'NAME is missing'],
    [['make'], 'create, list or revoke'],
  ] as const)('refuses %j as a wrong call', async (args, words) => {
    const terminal = { write: () => undefined, color: false, width: 80 }
    const refused = tokenCommand.run([...args, '--store', 'sqlite::memory:'], terminal)
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow(words)
  })
})

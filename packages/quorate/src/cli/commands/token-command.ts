import { randomBytes } from 'node:crypto'
import { createIds } from '../../panel/process-world.ts'
import { allTokens } from '../../server/access/credentials.ts'
import { hashOf } from '../../server/access/identify.ts'
import type { Store } from '../../store/store.ts'
import { plainText } from '../../text/plain-text.ts'
import { tableLines } from '../../text/table.ts'
import type { Command } from '../command.ts'
import { flagsText, programName } from '../command-line.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CONFIG_FLAGS } from '../flags/config-flags.ts'
import { type Flags, type FlagTable, flagsHelp, OUTPUT_FLAGS, parseFlags, wordFlag } from '../flags/parse-flags.ts'
import { quoted } from '../quoted.ts'
import { openServedStore, servedConfig } from '../serve/serve-setup.ts'
import { surroundings, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const ROLES = ['viewer', 'reviewer', 'admin'] as const
const KINDS = ['human', 'machine'] as const
const MINUTE_MS = 60_000
const UNITS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 1440 * MINUTE_MS } as const

const FLAGS = {
  name: { value: 'NAME', about: 'name of the person or program, 1 to 64 characters' },
  role: { value: 'ROLE', about: 'viewer | reviewer | admin' },
  kind: { value: 'KIND', about: 'human | machine' },
  expires: { value: 'TIME', about: 'such as 90d, 12h or 30m (default: never)' },
  config: CONFIG_FLAGS.config,
  store: CONFIG_FLAGS.store,
  json: OUTPUT_FLAGS.json,
} satisfies FlagTable

export const tokenCommand: Command = {
  name: 'token',
  help: `quorate token create --name NAME --role ROLE --kind KIND [--expires 90d]
quorate token list [flags]
quorate token revoke NAME|ID [flags]

A token is shown once, when it is created: the store keeps only its hash.
Reviews are signed with its name. A viewer reads. A reviewer also asks and
reviews. An admin also calibrates, suspends and releases. A machine token cannot
submit reviews.

Flags
${flagsHelp(FLAGS)}
Examples
  quorate token create --name mira --role reviewer --kind human --expires 90d
  quorate token revoke mira
`,
  async run([action = '', ...args], terminal) {
    if (action === 'create') return create(parseFlags('token create', args, FLAGS).flags, terminal)
    if (action === 'list') return list(parseFlags('token list', args, FLAGS).flags, terminal)
    if (action !== 'revoke') throw new UsageError(`token needs create, list or revoke, got ${quoted(action)}`)
    const { flags, operands } = parseFlags('token revoke', args, FLAGS, ['NAME'])
    return revoke(operands[0] ?? '', flags, terminal)
  },
}

/** The command that creates a token in the same store, as it would be typed. */
export function tokenCommandText(flags: Flags, rest: string): string {
  const store = new Map([...flags].filter(([name]) => name === 'config' || name === 'store'))
  return [`${programName()} token create`, rest, flagsText(store, [])].filter((part) => part !== '').join(' ')
}

async function create(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const name = nameFlag(flags)
  const role = neededWord(flags, 'role', ROLES)
  const kind = neededWord(flags, 'kind', KINDS)
  const createdAt = Date.now()
  const lasts = expiresFlag(flags)
  const expiresAt = lasts === null ? null : createdAt + lasts
  const token = `qt_${randomBytes(32).toString('base64url')}`
  const row = { id: createIds()(), name, role, kind, hash: hashOf(token), createdAt, expiresAt }
  await withStore(flags, (store) => store.tokens.create(row))
  const { hash: _, ...shown } = row
  if (flags.has('json')) terminal.write(`${JSON.stringify({ quorate: 1, ...shown, token })}\n`)
  else {
    const until = expiresAt === null ? 'It does not expire.' : `It expires ${dateText(expiresAt)}.`
    terminal.write(
      `${token}\n\nThe token of ${name} (${role}, ${kind}). It is not shown again. ${until}\n${useText(kind)}\n`,
    )
  }
  return EXIT.ok
}

function useText(kind: (typeof KINDS)[number]): string {
  const header = 'the header "Authorization: Bearer TOKEN"'
  const use =
    kind === 'human'
      ? `Sign in with it at the address that serve prints. A program sends it as ${header}.`
      : `The program sends it as ${header}.`
  return `${use} On loopback a server asks for tokens only with --require-token.`
}

async function list(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const tokens = await withStore(flags, allTokens)
  const now = Date.now()
  if (flags.has('json')) {
    const rows = tokens.map(({ hash: _, ...token }) => ({ ...token, state: stateOf(token, now) }))
    terminal.write(`${JSON.stringify({ quorate: 1, tokens: rows })}\n`)
  } else if (tokens.length === 0) {
    terminal.write(`There is no token. Create one: ${tokenCommandText(flags, '--name NAME --role ROLE --kind KIND')}\n`)
  } else {
    const rows = tokens.map((token) => [
      plainText(token.name),
      token.role,
      token.kind,
      stateOf(token, now),
      token.expiresAt === null ? 'never' : dateText(token.expiresAt),
      token.lastUsedAt === null ? 'never' : dateText(token.lastUsedAt),
      token.id,
    ])
    const header = ['name', 'role', 'kind', 'state', 'expires', 'last used', 'id']
    terminal.write(
      `${tableLines(
        [header, ...rows],
        header.map(() => 'left' as const),
      ).join('\n')}\n`,
    )
  }
  return EXIT.ok
}

async function revoke(named: string, flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const revoked = await withStore(flags, async (store) => {
    const found = (await allTokens(store)).find(
      ({ id, name, revokedAt }) => revokedAt === null && (id === named || name === named),
    )
    return found !== undefined && (await store.tokens.revoke(found.id, Date.now())) ? found : null
  })
  if (flags.has('json')) terminal.write(`${JSON.stringify({ quorate: 1, revoked: revoked?.id ?? null })}\n`)
  else if (revoked !== null) terminal.write(`Revoked the token of ${plainText(revoked.name)}, with its sessions.\n`)
  if (revoked !== null) return EXIT.ok
  surroundings().stderr.write(`quorate: no token that is not revoked has the name or id ${quoted(named)}\n`)
  return EXIT.error
}

async function withStore<Used>(flags: Flags, use: (store: Store) => Promise<Used>): Promise<Used> {
  const store = await openServedStore(flags, await servedConfig(flags))
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

function nameFlag(flags: Flags): string {
  const name = flags.get('name')
  const isName = typeof name === 'string' && name.trim() === name && name.length >= 1 && name.length <= 64
  if (isName && plainText(name) === name && name !== 'local') return name
  const expected = '1 to 64 characters of plain text without spaces at its ends, and not "local"'
  throw new UsageError(`--name must be ${expected}, got ${typeof name === 'string' ? quoted(name) : 'nothing'}`)
}

function neededWord<Word extends string>(flags: Flags, name: string, words: readonly Word[]): Word {
  const word = wordFlag(flags, name, words)
  if (word === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}, got nothing`)
  return word
}

/** Milliseconds until the token expires. Null means never. */
function expiresFlag(flags: Flags): number | null {
  const text = flags.get('expires')
  if (typeof text !== 'string') return null
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  if (unit === 'm' || unit === 'h' || unit === 'd') return Number(count) * UNITS[unit]
  throw new UsageError(`--expires must be a time such as 90d, 12h or 30m, got ${quoted(text)}`)
}

function stateOf(
  { revokedAt, expiresAt }: { readonly revokedAt: number | null; readonly expiresAt: number | null },
  now: number,
): string {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid'
}

function dateText(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

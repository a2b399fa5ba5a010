import { packageVersion } from '../../files/package-version.ts'
import { isLoopback } from '../../model/loopback.ts'
import { USUAL_PORT } from '../../panel/start-serving.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { type Flags, type FlagTable, flagsHelp, parseFlags } from '../flags/parse-flags.ts'
import { surroundings } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const FLAGS = {
  url: { value: 'URL', about: `address of quorate serve (or QUORATE_URL; default http://127.0.0.1:${USUAL_PORT})` },
} satisfies FlagTable

export const mcpCommand: Command = {
  name: 'mcp',
  help: `quorate mcp [flags]

Offers the panel to agents over the Model Context Protocol, on standard input
and output. It needs a running "quorate serve" and calls it with the token in
QUORATE_TOKEN, so roles and blindness are those of the token. The tools are
decide, get_decision, certify and list_reviews. No tool submits a review. Agents
that support MCP over HTTP do not need this process: the server offers the same
tools at /mcp.

Flags
${flagsHelp(FLAGS)}
Examples
  QUORATE_TOKEN=... quorate mcp
  quorate mcp --url https://quorate.example
`,
  async run(args) {
    const { flags } = parseFlags('mcp', args, FLAGS)
    const { env, stdin, stdout, stderr } = surroundings()
    const url = serverUrl(flags, env['QUORATE_URL'])
    const token = env['QUORATE_TOKEN']
    const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
    const { createMcpServer } = await import('../../server/mcp-server.ts')
    const { Readable, Writable } = await import('node:stream')
    if (!(stdin instanceof Readable && stdout instanceof Writable)) throw new Error('mcp: expected streams of Node')
    const callApi = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
      const headers = {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
      }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const asked = fetch(new URL(path, url), { method, headers, redirect: 'error', ...sent })
      const answer = await asked.catch((cause: unknown) => {
        const reason = errorSentence(cause instanceof Error ? (cause.cause ?? cause) : cause)
        throw new Error(
          `cannot ask the server at ${url}: ${reason}. Start "quorate serve", or correct --url or QUORATE_URL`,
        )
      })
      return { status: answer.status, text: await answer.text() }
    }
    const ended = new Promise<void>((resolve) => {
      stdin.once('end', resolve)
      stdin.once('close', resolve)
    })
    const handle = serveStdio(() => createMcpServer(callApi, packageVersion()), {
      transport: new StdioServerTransport(stdin, stdout),
      onerror: (error) => stderr.write(`quorate: mcp: ${errorSentence(error)}\n`),
    })
    await ended
    await handle.close()
    return EXIT.ok
  },
}

/**
 * The address of the server. Plain HTTP is accepted only on loopback, because others could read the token. Errors repeat the
 * address to the agent, so it contains nothing but the origin.
 */
function serverUrl(flags: Flags, variable: string | undefined): URL {
  const flag = flags.get('url')
  const text = typeof flag === 'string' ? flag : (variable ?? `http://127.0.0.1:${USUAL_PORT}`)
  const expected = 'an https address without user, path, ? or #, or http on loopback, such as http://127.0.0.1:4711'
  const url = URL.canParse(text) ? new URL(text) : null
  const isLocal = url !== null && isLoopback(url.hostname)
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)
  if (url !== null && isAllowed && url.href === `${url.origin}/`) return url
  throw new UsageError(`${typeof flag === 'string' ? '--url' : 'QUORATE_URL'} must be ${expected}`)
}

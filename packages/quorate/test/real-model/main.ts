import { appendFileSync } from 'node:fs'
import { startChatServer } from './chat-server.ts'
import { loadRuntime } from './runtime.ts'

// The server as a process of its own: `main.ts FOLDER LOG` prints one line of JSON with its address.
const [folder = '', log = ''] = process.argv.slice(2)
const url = await startChatServer(await loadRuntime(folder), (reply) =>
  appendFileSync(log, `${JSON.stringify(reply)}\n`),
)
process.stdin.once('end', () => process.exit()).resume() // the parent has exited
process.stdout.write(`${JSON.stringify({ url })}\n`)

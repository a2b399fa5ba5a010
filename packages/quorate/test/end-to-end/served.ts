import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { FROM_SOURCES } from './quorate-folder.ts'

export interface Served {
  /** http://127.0.0.1:PORT, without a slash at the end, also where it listens on every address. */
  readonly address: string
  readonly port: number
  readonly child: ChildProcess
  /** What it wrote to standard error so far: requests and reports. */
  readonly log: () => string
  /** SIGTERM; the exit code. */
  readonly stop: () => Promise<number | null>
}

/** `quorate serve` in a process of its own, on a free port. */
export async function serve(folder: string, ...flags: string[]): Promise<Served> {
  const args = [...FROM_SOURCES, 'serve', '--port', '0', ...flags]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, log] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  const port = await new Promise<number>((begun, failed) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)\//.exec(output)?.[1]
      if (found !== undefined) begun(Number(found))
    })
    void ended.then((code) => failed(new Error(`quorate serve ended with ${code}: ${output}${log}`)))
  })
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    child,
    log: () => log,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** A request as a program makes it; the answer must be of that kind. */
export async function asked<Answer>(
  { address }: Served,
  path: string,
  { body, token, method }: { body?: unknown; token?: string; method?: string } = {},
): Promise<Answer> {
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(`${address}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${text}`)
  return JSON.parse(text) as Answer // the contract's own tests say that it is
}

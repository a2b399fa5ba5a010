import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startCommand } from '../../run/provider-folder.ts'

const CLOCK = pathToFileURL(join(import.meta.dirname, 'clock-ahead.ts')).href
const CERTIFIED = ['--certificate', 'certificate.json', '--trust-config']

/** One process of the server. */
export interface Life {
  readonly port: number
  readonly pid: number
  /** kill -9. */
  kill(): void
  /** SIGTERM; the exit code. */
  stop(): Promise<number | null>
  readonly ended: Promise<readonly unknown[]>
}

/** A server that is killed and restarted, on another port and with a clock further ahead. */
export interface Lives {
  /** The current process, or the next one once it is running. */
  current(): Promise<Life>
  begin(aheadMs: number, more?: readonly string[]): Promise<Life>
}

export function createLives(
  folder: string,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Lives {
  let first: (life: Promise<Life>) => void = () => {}
  let life = new Promise<Life>((begun) => {
    first = begun
  })
  return {
    current: () => life,
    begin(aheadMs, more = []) {
      const next = startLife(folder, [...CERTIFIED, ...flags, ...more], { ...env, CLOCK_AHEAD_MS: String(aheadMs) })
      first(next)
      life = next
      return next
    },
  }
}

/** `quorate serve` in this folder; resolves when it listens. */
export async function startLife(
  folder: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Life> {
  const { child, output } = startCommand(folder, ['serve', '--port', '0', ...flags], {
    env: { ...env, NODE_OPTIONS: `--import=${CLOCK}` },
  })
  const ended = once(child, 'close')
  const port = await new Promise<number>((begun, failed) => {
    child.stdout?.on('data', () => {
      const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(output())?.[1]
      if (found !== undefined) begun(Number(found))
    })
    void ended.then(([code]) => failed(new Error(`quorate serve ended with ${code}: ${output()}`)))
  })
  return {
    port,
    pid: child.pid ?? 0,
    ended,
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      return typeof code === 'number' ? code : null
    },
  }
}

import { type ChildProcess, type ExecFileSyncOptions, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { installPackage } from './debian.ts'

export interface PrivatePostgres {
  /** URL of an empty database, over a socket in a temporary folder, so that no port is taken. */
  readonly url: string
  /** Ends the server as a power cut would, and starts it again from its data on disk. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export type PostgresStart =
  | { readonly kind: 'started'; readonly postgres: PrivatePostgres }
  | { readonly kind: 'absent'; readonly reason: string }

export type FoundPostgres =
  | { readonly kind: 'found'; readonly binaries: string }
  | { readonly kind: 'absent'; readonly reason: string }

/**
 * Finds the folder of Debian's binaries, which are installed first if this runs as root on Debian. If they are missing, the
 * suites are skipped on a laptop; on a build machine (CI=true) that is an error.
 */
export function findPostgres(): FoundPostgres {
  const binaries = findBinaries() ?? installBinaries()
  if (binaries !== null) return { kind: 'found', binaries }
  const reason = 'PostgreSQL is not installed (Debian: apt-get install postgresql)'
  if (process.env['CI'] === 'true') throw new Error(`${reason}; under CI=true its tests must run`)
  return { kind: 'absent', reason }
}

const READY = /database system is ready to accept connections/

/** Starts a server for this process alone. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresStart> {
  const found = findPostgres()
  if (found.kind === 'absent') return found
  const { binaries } = found
  const folder = mkdtempSync(join(tmpdir(), 'quorate-postgres-'))
  const account = serverAccount()
  if (account !== null) chownSync(folder, account.uid, account.gid)
  const child = { ...account, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } }
  const data = join(folder, 'data')
  fillData(data, binaries, child)
  const all = { listen_addresses: '', unix_socket_directories: folder, ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const start = async () => {
    const started = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], {
      ...child,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await ready(started)
    return started
  }
  let server = await start()
  // SIGQUIT ends it at once, as a power cut would. A clean shutdown is pointless, since the folder is removed too.
  const quit = () => server.kill('SIGQUIT')
  process.once('exit', quit)
  const end = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    if (quit()) await ended
  }
  return {
    kind: 'started',
    postgres: {
      url: `postgres://quorate@localhost/postgres?host=${folder}`,
      async restart() {
        await end()
        server = await start()
      },
      async stop() {
        process.off('exit', quit)
        await end()
        rmSync(folder, { recursive: true, force: true })
      },
    },
  }
}

/** Cached empty databases, keyed by what `initdb` made them with. A copy takes half of the processor time. */
const MADE = resolve(import.meta.dirname, '../node_modules/.cache/postgres')

function fillData(data: string, binaries: string, child: ExecFileSyncOptions): void {
  // A collation that differs from SQLite's, so that a forgotten collation shows.
  const locale = version(binaries) >= 15 ? ['--locale-provider', 'icu', '--icu-locale', 'en'] : []
  const names = ['--username', 'quorate', '--auth', 'trust', '--encoding', 'UTF8']
  // Small WAL files, so that a copy has less to write.
  const options = [...locale, ...names, '--no-sync', '--wal-segsize', '1']
  const release = execFileSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' })
  const made = join(
    MADE,
    createHash('sha256')
      .update(JSON.stringify([release, options, child.uid]))
      .digest('hex'),
  )
  // Keeps owners and permissions, which the server is strict about.
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to], { stdio: 'pipe' })
  if (existsSync(made)) {
    copy(made, data)
    return
  }
  execFileSync(join(binaries, 'initdb'), [...options, '--pgdata', data], { ...child, stdio: 'pipe' })
  mkdirSync(MADE, { recursive: true })
  const own = `${made}.${randomUUID()}`
  copy(data, own)
  try {
    renameSync(own, made)
  } catch {
    // Another process was faster.
    rmSync(own, { recursive: true, force: true })
  }
}

function findBinaries(): string | null {
  const newestFirst = globSync('/usr/lib/postgresql/*/bin/initdb').sort((a, b) => version(b) - version(a))
  const [found] = newestFirst
  return found === undefined ? null : dirname(found)
}

function version(path: string): number {
  return Number(path.split('/')[4])
}

/** Installs them without the cluster that the package would create and start. */
function installBinaries(): string | null {
  if (!installPackage('postgresql-common')) return null
  const edit = ['-ri', 's/^#?\\s*create_main_cluster.*/create_main_cluster = false/', CLUSTER_SETTINGS]
  if (spawnSync('sed', edit).status !== 0) return null
  return installPackage('postgresql') ? findBinaries() : null
}

const CLUSTER_SETTINGS = '/etc/postgresql-common/createcluster.conf'

/** The server refuses to run as root, and the package provides an account for it. */
function serverAccount(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error('postgres: there is no account of that name to run it as')
  return { uid: Number(uid), gid: Number(gid) }
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    server.stderr?.on('data', (text: Buffer) => {
      if (log.length < 100_000) log += text.toString()
      if (READY.test(log)) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`postgres: the server ended:\n${log}`)))
  })
}

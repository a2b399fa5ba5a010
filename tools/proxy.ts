import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackage, mayInstall } from './debian.ts'

export type ProxyName = 'nginx' | 'caddy'

export interface RunningProxy {
  /** Port on loopback, over TLS with a self-signed certificate. */
  readonly port: number
  stop(): Promise<void>
}

export type FoundProxy =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'absent'; readonly reason: string }

const PACKAGES = { nginx: 'nginx-light', caddy: 'caddy' } as const
const PLACES = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' } as const

/**
 * Finds Debian's binary, which is installed first if this runs as root on Debian. Under CI=true a missing one is an
 * error.
 */
export function findProxy(name: ProxyName): FoundProxy {
  const path = PLACES[name]
  if (!existsSync(path)) install(PACKAGES[name])
  if (existsSync(path)) return { kind: 'found', path }
  const reason = `${name} is not installed (Debian: apt-get install ${PACKAGES[name]})`
  if (process.env['CI'] === 'true') throw new Error(`${reason}; under CI=true its tests must run`)
  return { kind: 'absent', reason }
}

export interface ProxyOptions {
  readonly path: string
  readonly hostname: string
  /** The site part of its configuration, made from a free port and the files of a certificate. */
  readonly site: (given: { readonly port: number; readonly certificate: string; readonly key: string }) => string
}

export async function startProxy(name: ProxyName, { path, hostname, site }: ProxyOptions): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `quorate-${name}-`))
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', `/CN=${hostname}`, '-addext', `subjectAltName=DNS:${hostname}`]
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...made, ...subject, '-keyout', key, '-out', certificate], { stdio: 'pipe' })
  const port = await freePort()
  const config = join(folder, 'config')
  writeFileSync(config, WHOLE[name](folder, site({ port, certificate, key })))
  const child = spawn(path, ARGUMENTS[name](folder, config), {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  await ready(name, child)
  return {
    port,
    async stop() {
      process.off('exit', end)
      const ended = new Promise((resolve) => child.once('exit', resolve))
      if (end()) await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The whole configuration around the site. It writes nothing outside the temporary folder and listens only for the
 * site.
 */
const WHOLE: Readonly<Record<ProxyName, (folder: string, site: string) => string>> = {
  nginx: (folder, site) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log stderr notice;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${site}
}
`,
  caddy: (folder, site) => `{
  admin off
  auto_https disable_redirects
  default_bind 127.0.0.1
  storage file_system ${folder}/storage
}
${site}
`,
}

const ARGUMENTS: Readonly<Record<ProxyName, (folder: string, config: string) => readonly string[]>> = {
  nginx: (folder, config) => ['-p', folder, '-e', 'stderr', '-c', config],
  caddy: (_folder, config) => ['run', '--adapter', 'caddyfile', '--config', config],
}

/** What each logs when it listens. */
const READY: Readonly<Record<ProxyName, RegExp>> = {
  nginx: /start worker process /,
  caddy: /serving initial configuration/,
}

function ready(name: ProxyName, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    child.stderr?.on('data', (text: Buffer) => {
      if (log.length < 100_000) log += text.toString()
      if (READY[name].test(log)) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${name} ended:\n${log}`)))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

/** Packages with a service run this file to learn whether they may start it. */
const POLICY = '/usr/sbin/policy-rc.d'

/** Installs only as root on Debian, never with sudo. The service of the package is not started. */
function install(debianPackage: string): void {
  if (!mayInstall()) return
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    installPackage(debianPackage)
  } finally {
    if (isOurs) rmSync(POLICY, { force: true })
  }
}

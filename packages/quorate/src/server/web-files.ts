import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The files of the built app by their URL path. No other file can be requested. */
export type WebFiles = ReadonlyMap<string, WebFile>

export interface WebFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Null: it would not be smaller. */
  readonly gzipped: Uint8Array<ArrayBuffer> | null
  readonly type: string
  readonly etag: string
  /** The name contains a hash of the content, so the content never changes. */
  readonly isForever: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
const COMPRESSIBLE = /^(text\/|image\/svg|application\/)/
const HASHED = /^\/assets\/.+-[\w-]{8,}\.\w+$/

const compress = promisify(gzip)

/** Null: the folder has no index.html, so the app was not built. */
export async function loadWebFiles(folder: string): Promise<WebFiles | null> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = new Map<string, WebFile>()
  // No symbolic links, which could lead anywhere.
  for (const entry of entries.filter((found) => found.isFile())) {
    const place = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, place).split(sep).join('/')}`
    const type = TYPES[extname(path)]
    if (type === undefined) continue
    files.set(path, await webFile(path, type, new Uint8Array(await readFile(place))))
  }
  const index = files.get('/index.html')
  if (index === undefined) return null
  return files.set('/', index)
}

async function webFile(path: string, type: string, bytes: Uint8Array<ArrayBuffer>): Promise<WebFile> {
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
  const gzipped = COMPRESSIBLE.test(type) ? new Uint8Array(await compress(bytes)) : null
  const isSmaller = gzipped !== null && gzipped.length < bytes.length
  return { bytes, gzipped: isSmaller ? gzipped : null, type, etag, isForever: HASHED.test(path) }
}

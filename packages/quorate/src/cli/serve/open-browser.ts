import { spawn } from 'node:child_process'

/** Opens an address in the browser. Without a browser nothing happens, because the address is printed as well. */
export function openInBrowser(url: string): void {
  const [program, ...before] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...before, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

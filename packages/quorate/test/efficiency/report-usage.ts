import { registerHooks } from 'node:module'

/** Loaded before the command line: reports on the last line of standard error what the process took. */
export interface Usage {
  readonly maxRssBytes: number
  readonly cpuMs: number
  /** Packages and layers from which modules were loaded. */
  readonly loaded: readonly string[]
}

/** A package, or a layer of quorate. */
const PLACE = /.*\/(?:node_modules|packages)\/(?<name>@[^/]+\/[^/]+|quorate\/src\/[^/]+|quorate\/[^/]+|[^/]+)/

const loaded = new Set<string>()
registerHooks({
  load(url, context, next) {
    const name = PLACE.exec(url)?.groups?.['name']
    if (name !== undefined) loaded.add(name)
    return next(url, context)
  },
})

process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const usage: Usage = {
    maxRssBytes: 1024 * process.resourceUsage().maxRSS,
    cpuMs: (user + system) / 1000,
    loaded: [...loaded],
  }
  process.stderr.write(`\n${JSON.stringify(usage)}\n`)
})

import { plainText } from '../text/plain-text.ts'

export type KeyPath = readonly (string | number)[]

/** One problem of a config, without any secret. */
export interface ConfigProblem {
  /** A file, `--flag` or the name of an environment variable. */
  readonly source: string
  /** From 1; null outside files. */
  readonly line: number | null
  readonly column: number | null
  /** `panel.agents[0].model`; empty for the whole file. */
  readonly path: string
  readonly expected: string
  readonly received: string
}

const MOST_LISTED = 20

/** All problems of a config, one on each line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[], options?: ErrorOptions) {
    const listed = problems.slice(0, MOST_LISTED).map(problemSentence)
    const more = problems.length - listed.length
    super([...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'), options)
    this.problems = problems
  }
}

function problemSentence({ source, line, column, path, expected, received }: ConfigProblem): string {
  const place = line === null ? source : `${source}:${line}:${column}`
  return `${place}: ${path === '' ? 'the config' : path} must be ${expected}, got ${received}`
}

/** panel.agents[0].model */
export function pathText(path: KeyPath): string {
  return path.reduce<string>((before, part) => {
    if (typeof part === 'number') return `${before}[${part}]`
    if (!/^[A-Za-z_]\w*$/.test(part)) return `${before}[${JSON.stringify(plainText(part).slice(0, LONGEST_SHOWN))}]`
    return before === '' ? part : `${before}.${part}`
  }, '')
}

/** The received value, always on one line. */
export function receivedText(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(plainText(value).slice(0, LONGEST_SHOWN))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' ? 'a map' : String(value)
}

const LONGEST_SHOWN = 60

export interface CodeBlock {
  readonly language: string
  readonly code: string
}

const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm
const BACK_QUOTED_PATH = /`((?:(?:packages|experiments|docs|tools|apps|\.ci)\/[\w./-]+)|[A-Z]+\.md)`/g
// Written so that neither pattern matches its own text.
const MACHINE_PATH = /(?<![\w.~-])\/(?:work|tmp|root|home|Users)\/[\w.-]+/g
/** Loopback exists on every machine, and 192.0.2.x is reserved for documentation (RFC 5737). */
const PRIVATE_HOST =
  /https?:\/\/(?:(?!127\.0\.0\.1|192\.0\.2\.)\d+\.\d+\.\d+\.\d+|[\w.-]*(?:registry|proxy|mirror)[\w.-]*)(?![\w.])/g

/** Fenced blocks of a Markdown document, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(FENCE)].map(([, language = '', code = '']) => ({ language, code }))
}

/** Repository paths in back quotes, each once. */
export function mentionedPaths(markdown: string): string[] {
  return [...new Set([...markdown.matchAll(BACK_QUOTED_PATH)].map(([, path = '']) => path))]
}

/** Places that exist on one machine only: absolute paths of a user, and hosts of a private network or a registry. */
export function machinePlaces(text: string): string[] {
  return [...(text.match(MACHINE_PATH) ?? []), ...(text.match(PRIVATE_HOST) ?? [])]
}

/** The document with this text between `<!-- begin NAME ... -->` and `<!-- end NAME -->`, in place of the previous text. */
export function withGenerated(markdown: string, name: string, text: string): string {
  const begin = markdown.indexOf(`<!-- begin ${name}`)
  const from = markdown.indexOf('-->\n', begin) + 4
  const end = markdown.indexOf(`<!-- end ${name} -->`, from)
  if (begin < 0 || from < 4 || end < 0) {
    throw new Error(`expected <!-- begin ${name} --> and <!-- end ${name} --> in the document`)
  }
  return `${markdown.slice(0, from)}${text.trimEnd()}\n${markdown.slice(end)}`
}

import type { Flags } from './parse-flags.ts'

/** How this program was started: the repository runs it through npm, an installed one is called by its name. */
export function programName(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const isRepository = env['npm_lifecycle_event'] === 'quorate' || env['npm_lifecycle_event'] === 'demo'
  return isRepository ? 'npm run quorate --' : 'quorate'
}

/** The flags that were given, but for some, as they would be typed. */
export function flagsText(flags: Flags, leftOut: readonly string[]): string {
  return [...flags]
    .filter(([name]) => !leftOut.includes(name))
    .flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value]))
    .map(shellWord)
    .join(' ')
}

/** A file as it would be typed: a name that begins like a flag would be read as one. */
export function fileText(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path)
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Flags } from './flags/parse-flags.ts'
import { surroundings } from './terminal.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * How this program is started from a folder, the working directory by default: an installed one is called by its name;
 * a clone of the repository runs it through npm, which needs the path of the clone when the folder is elsewhere.
 */
export function programName(env: Environment = surroundings().env, folder: string = process.cwd()): string {
  return taskName('quorate', env, folder)
}

/** The same for the demo, which the repository has as a task of its own. */
export function demoName(env: Environment = surroundings().env, folder: string = process.cwd()): string {
  const name = taskName('demo', env, folder)
  return name === 'quorate' ? 'quorate demo' : name
}

function taskName(task: 'quorate' | 'demo', env: Environment, folder: string): string {
  const isRepository = env['npm_lifecycle_event'] === 'quorate' || env['npm_lifecycle_event'] === 'demo'
  if (!isRepository) return 'quorate'
  const clone = dirname(env['npm_package_json'] ?? '')
  const isInside = env['npm_package_json'] === undefined || nearestPackage(folder) === clone
  return isInside ? `npm run ${task} --` : `npm --prefix ${shellWord(clone)} run ${task} --`
}

/** Where npm would look for the task. */
function nearestPackage(folder: string): string | null {
  for (let above = resolve(folder); ; above = dirname(above)) {
    if (existsSync(join(above, 'package.json'))) return above
    if (dirname(above) === above) return null
  }
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

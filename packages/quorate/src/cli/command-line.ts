import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Flags } from './flags/parse-flags.ts'
import { surroundings } from './terminal.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The command that starts this program from a folder, by default the working directory. An installed program is called by
 * its name. A clone of the repository runs it through npm, which needs the path of the clone if the folder is outside it.
 */
export function programName(env: Environment = surroundings().env, folder: string = process.cwd()): string {
  return taskName('quorate', env, folder)
}

/** The same for the demo, for which the repository has a separate npm script. */
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

/** The folder in which npm would look for the script. */
function nearestPackage(folder: string): string | null {
  for (let above = resolve(folder); ; above = dirname(above)) {
    if (existsSync(join(above, 'package.json'))) return above
    if (dirname(above) === above) return null
  }
}

/** The given flags as they would be typed in a shell, except those in `leftOut`. */
export function flagsText(flags: Flags, leftOut: readonly string[]): string {
  return [...flags]
    .filter(([name]) => !leftOut.includes(name))
    .flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value]))
    .map(shellWord)
    .join(' ')
}

/** The flags that name the config and the store, for the next command. Begins with a space unless it is empty. */
export function storeFlagsText(flags: Flags): string {
  const given = flagsText(new Map([...flags].filter(([name]) => name === 'config' || name === 'store')), [])
  return given === '' ? '' : ` ${given}`
}

/** A path as it would be typed in a shell. A name that starts with a dash gets `./`, so that it is not read as a flag. */
export function fileText(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path)
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

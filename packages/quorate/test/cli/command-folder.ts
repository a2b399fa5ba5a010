import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Question } from '../../src/record/question.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { runMain } from './run-main.ts'

const BIN = resolve(import.meta.dirname, '../../bin/quorate.js')

export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  /** Parses the output of `--json`. */
  json(): { readonly runId: string; readonly [name: string]: unknown }
}

/** A folder in which commands run in this process. */
export function commandFolder(config: object) {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  const configure = (name: string, value: object) => writeFileSync(at(name), JSON.stringify(value))
  configure('quorate.config.json', config)
  return {
    folder,
    at,
    configure,
    ask(name: string, questions: readonly Question[]) {
      const lines = questions.map(({ options, ...question }) =>
        JSON.stringify({ ...question, options: Object.fromEntries(options.map(({ name: key, text }) => [key, text])) }),
      )
      writeFileSync(at(name), `${lines.join('\n')}\n`)
    },
    run: (args: readonly string[], env: Readonly<Record<string, string>> = {}) => run(folder, args, env),
  }
}

/** What a shell would be given to run a command here. */
export function commandLine(args: readonly string[]): readonly string[] {
  return [process.execPath, '--conditions=quorate-source', BIN, ...args]
}

async function run(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const result = await runMain(args, { cwd: folder, env: { XDG_CONFIG_HOME: join(folder, 'home'), ...env } })
  return { ...result, json: () => JSON.parse(result.stdout) }
}

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Question } from '../../src/questions/question.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'

const BIN = resolve(import.meta.dirname, '../../bin/quorate.js')

export interface Told {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  /** Of `--json`. */
  json(): { readonly runId: string; readonly [name: string]: unknown }
}

/** A folder for the real command line, and its commands; this process goes on meanwhile, so that it may be a provider. */
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

function run(folder: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Told> {
  const [node = '', ...rest] = commandLine(args)
  const options = { cwd: folder, env: { ...process.env, XDG_CONFIG_HOME: join(folder, 'home'), ...env } }
  return new Promise((settle) => {
    const child = execFile(node, rest, { ...options, maxBuffer: 2 ** 27 }, (_, stdout, stderr) => {
      settle({ status: child.exitCode ?? -1, stdout, stderr, json: () => JSON.parse(stdout) })
    })
    child.stdin?.end()
  })
}

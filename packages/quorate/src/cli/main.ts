import { packageVersion } from '../files/package-version.ts'
import { errorSentence } from '../text/error-sentence.ts'
import { closestName } from '../text/nearest-name.ts'
import { plainText } from '../text/plain-text.ts'
import { programName } from './command-line.ts'
import { COMMANDS, type CommandEntry } from './commands.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { quoted } from './quoted.ts'
import { type GivenSurroundings, standardOutput, surroundings, type Terminal, withSurroundings } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Runs one command line and returns its exit code. The streams and environment are those of the process unless given. */
export async function main(args: readonly string[], given?: GivenSurroundings): Promise<number> {
  if (given !== undefined) return withSurroundings(given, () => run(args))
  process.stdout.on('error', endQuietlyWhenReaderLeft)
  return run(args)
}

async function run(args: readonly string[]): Promise<number> {
  const { stderr } = surroundings()
  try {
    return await dispatch(args, standardOutput())
  } catch (error) {
    for (const sentence of sentencesOf(error)) stderr.write(`quorate: ${asTyped(sentence)}\n`)
    if (!(error instanceof UsageError)) return EXIT.error
    const known = COMMANDS.find(({ name }) => name === args[0])
    stderr.write(`Run "${programName()} ${known ? `${known.name} ` : ''}--help" to see what it can do.\n`)
    return EXIT.usage
  }
}

/** One line per error. A config error may consist of several. */
function sentencesOf(error: unknown): readonly string[] {
  // Compared by name, because importing the class would load the whole config layer and slow down --help.
  return error instanceof Error && error.name === 'ConfigError'
    ? error.message.split('\n').map(plainText)
    : [errorSentence(error)]
}

/** The layers below do not know how this program was started. A clone runs the commands that they quote through npm. */
function asTyped(sentence: string): string {
  return sentence.replaceAll(/"quorate (?=[a-z])/gu, () => `"${programName()} `)
}

async function dispatch([first, ...rest]: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const page = await pageFor(first, rest)
  if (page === null) return (await findCommand(first ?? '').load()).run(rest, terminal)
  terminal.write(page)
  return EXIT.ok
}

/** The help page or version to print, or null if a command should run. */
async function pageFor(first: string | undefined, rest: readonly string[]): Promise<string | null> {
  if (first === undefined || first === '--help' || first === '-h') return helpPage(COMMANDS)
  if (first === '--version' || first === '-v') return `${packageVersion()}\n`
  if (first === 'help') {
    const [named] = rest.filter((word) => word !== '--help' && word !== '-h')
    return named === undefined ? helpPage(COMMANDS) : (await findCommand(named).load()).help
  }
  return rest.includes('--help') || rest.includes('-h') ? (await findCommand(first).load()).help : null
}

function findCommand(name: string): CommandEntry {
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (command !== undefined) return command
  const kind = name.startsWith('-') ? 'flag' : 'command'
  const names = kind === 'flag' ? ['--help', '--version'] : [...COMMANDS.map((known) => known.name), 'help']
  const closest = closestName(name, names)
  throw new UsageError(`unknown ${kind} ${quoted(name)}${closest === undefined ? '' : `. Did you mean "${closest}"?`}`)
}

/** A reader may close the pipe early, as in `quorate demo | head`. That is not an error. */
function endQuietlyWhenReaderLeft(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT.ok)
  process.stderr.write(`quorate: cannot write the output: ${error.message}\n`)
  process.exit(EXIT.error)
}

/** The page that `quorate --help` prints. */
function helpPage(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length), 'help COMMAND'.length)
  const list = [
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    `  ${'help COMMAND'.padEnd(width)}  show what a command does, its flags and an example`,
  ]
  return `quorate decides when a panel of language models may act on its own answer. You
declare how often it may act wrongly. It acts only when a bound computed from
your labelled debates allows it, and defers all other questions to a person.

Usage
  quorate COMMAND [flags]
  quorate --help | --version

Commands
${list.join('\n')}

Examples
  quorate demo --seed 3                       simulated; no key, no network
  quorate evaluate debates.jsonl --beta 0.15  every policy on your debates

Exit codes
  0  success
  1  an error
  2  wrong usage: an unknown flag or a missing argument
 10  with --fail-on-defer: a question was deferred
 20  the budget cannot be met
 30  an audit contradicts an assumption, or a bundle was changed
 31  not confirmed: another version of quorate wrote the bundle
 40  stopped at the spend cap: repeat the command with a higher --max-cost, and
     for debate and decide also with --resume
130  interrupted

Environment
  NO_COLOR=1   print plain text without colour
`
}

import type { CommandEntry } from './commands.ts'

/** The page that `quorate --help` prints. */
export function helpPage(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length), 'help COMMAND'.length)
  const list = [
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    `  ${'help COMMAND'.padEnd(width)}  what a command does, its flags and an example`,
  ]
  return `quorate: you declare how often your AI panel may act wrongly; it acts only when
a bound computed from your own labelled debates allows it, and hands the rest to
a person.

Usage
  quorate COMMAND [flags]
  quorate --help | --version

Commands
${list.join('\n')}

Examples
  quorate demo --seed 3                       simulated; no key, no network
  quorate evaluate debates.jsonl --beta 0.15  every policy on your debates

Exit codes
  0  ok
  1  error
  2  the command line was called wrongly
 10  something was deferred, with --fail-on-defer
 20  the budget cannot be met
 30  an audit contradicts an assumption, or a bundle was changed
 40  stopped before the spend cap; --resume goes on
130  interrupted

Environment
  NO_COLOR=1   plain text without colour
`
}

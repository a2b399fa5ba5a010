import type { Command } from './command.ts'

/** The page that `quorate --help` prints. */
export function helpPage(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length), 'help COMMAND'.length)
  const list = [
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    `  ${'help COMMAND'.padEnd(width)}  what a command does, its flags and an example`,
  ]
  return `quorate: you declare how often your AI panel may act wrongly; it acts only when a bound
computed from your own labelled debates allows it, and hands the rest to a person.

Usage
  quorate COMMAND [flags]
  quorate --help | --version

Commands
${list.join('\n')}

Example
  quorate demo --seed 3        a simulated panel; no key, no network

Exit codes
  0  ok
  1  error
  2  the command line was called wrongly

Environment
  NO_COLOR=1   plain text without colour
`
}

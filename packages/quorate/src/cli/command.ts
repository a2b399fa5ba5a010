import type { ExitCode } from './exit-code.ts'
import type { Terminal } from './terminal.ts'

export interface Command {
  readonly name: string
  /** The whole page that `quorate help NAME` prints. */
  readonly help: string
  run(args: readonly string[], terminal: Terminal): Promise<ExitCode>
}

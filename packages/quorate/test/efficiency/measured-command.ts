import { once } from 'node:events'
import { type StartedCommand, startCommand } from '../run/provider-folder.ts'
import type { Usage } from './report-usage.ts'

const REPORT_USAGE = new URL('./report-usage.ts', import.meta.url).href

/** The command line in a process of its own, and what that took. */
export async function measuredCommand(folder: string, args: readonly string[]): Promise<Usage> {
  const { child, output }: StartedCommand = startCommand(folder, args, {
    env: { NODE_OPTIONS: `--import=${REPORT_USAGE}` },
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`quorate ${args.join(' ')}: exit code ${code}\n${output()}`)
  // The line was written by that module.
  return JSON.parse(output().trimEnd().split('\n').at(-1) ?? '') as Usage
}

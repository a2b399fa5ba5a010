import type { Command } from './command.ts'
import { EXIT } from './exit-code.ts'
import { numberFlag, parseFlags } from './parse-flags.ts'

export const demoCommand: Command = {
  name: 'demo',
  summary: 'calibrate a simulated panel and play three of its debates',
  help: `quorate demo [--seed N] [--beta B] [--no-color]

Calibrates a simulated panel, prints what its error budget allows and plays three
debates round by round. No model is called and nothing leaves this machine.

Flags
  --seed N     seed of everything drawn, an integer from 0 to 4294967295 (default 7)
  --beta B     largest share of questions on which the panel may act wrongly,
               a number from 0.0001 to below 1 (default 0.10)
  --no-color   plain text, as with NO_COLOR=1

Example
  quorate demo --seed 3 --beta 0.05
`,
  async run(args, terminal) {
    const { flags } = parseFlags('demo', args, { seed: 'string', beta: 'string', 'no-color': 'boolean' })
    const seed = numberFlag(flags, 'seed', {
      fallback: 7,
      expected: 'an integer from 0 to 4294967295',
      accepts: (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32,
    })
    const beta = numberFlag(flags, 'beta', {
      fallback: 0.1,
      expected: 'a number from 0.0001 to below 1, such as 0.05',
      accepts: (value) => value >= 0.0001 && value < 1,
    })
    const color = terminal.color && !flags.has('no-color')
    // Loaded here, so that --help need not wait for it.
    const { runDemo } = await import('../demo/run-demo.ts')
    // The repository runs the demo through npm; an installed quorate is called by its name.
    const command = process.env['npm_lifecycle_event'] === 'demo' ? 'npm run demo --' : 'quorate demo'
    await runDemo({ seed, beta, color, width: terminal.width, command }, terminal.write)
    return EXIT.ok
  },
}

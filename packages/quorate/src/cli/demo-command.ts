import type { Command } from './command.ts'
import { programName } from './command-line.ts'
import { EXIT } from './exit-code.ts'
import { numberFlag, parseFlags } from './parse-flags.ts'

export const demoCommand: Command = {
  name: 'demo',
  summary: 'calibrate a simulated panel and play three of its debates',
  help: `quorate demo [--seed N] [--beta B] [--out DIR] [--no-color]

Calibrates a simulated panel, prints what its error budget allows and plays three
debates round by round. No model is called and nothing leaves this machine. The
debates stay behind in DIR/debates.jsonl, for evaluate, audit, plan and report.

Flags
  --seed N     seed of everything drawn, an integer from 0 to 4294967295 (default 7)
  --beta B     largest share of questions on which the panel may act wrongly,
               a number from 0.0001 to below 1 (default 0.10)
  --out DIR    folder for debates.jsonl (default quorate-demo)
  --no-color   plain text, as with NO_COLOR=1

Example
  quorate demo --seed 3 --beta 0.05
`,
  async run(args, terminal) {
    const { flags } = parseFlags('demo', args, { seed: 'string', beta: 'string', out: 'string', 'no-color': 'boolean' })
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
    const out = flags.get('out')
    const folder = typeof out === 'string' ? out : 'quorate-demo'
    const color = terminal.color && !flags.has('no-color')
    // Loaded here, so that --help need not wait for it.
    const { runDemo } = await import('../demo/run-demo.ts')
    const program = programName()
    const commands = { demo: program === 'quorate' ? 'quorate demo' : 'npm run demo --', quorate: program }
    await runDemo({ seed, beta, folder, color, width: terminal.width, commands }, terminal.write)
    return EXIT.ok
  },
}

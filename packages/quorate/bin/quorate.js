#!/usr/bin/env node
// Plain JavaScript without static imports, so that an old Node prints a sentence and not a stack trace.
const needed = [22, 18]
const running = process.versions.node.split('.').map(Number)

if (running[0] < needed[0] || (running[0] === needed[0] && running[1] < needed[1])) {
  console.error(
    `quorate needs Node >= ${needed.join('.')} but is running on Node ${process.versions.node}: ` +
      'install a newer Node and run the command again.',
  )
  process.exitCode = 1
} else {
  import('#cli')
    .then((cli) => cli.main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code
    })
}

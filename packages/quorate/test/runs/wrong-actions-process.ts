import { type Trial, tryOut } from './wrong-actions.ts'

/** Tries out the seeds that it is given, one after the other, and prints what came. */
const trials: readonly Trial[] = JSON.parse(process.argv[2] ?? '[]')
const results = []
for (const trial of trials) results.push(await tryOut(trial))
process.stdout.write(JSON.stringify(results))

import { type Trial, tryOut } from './wrong-actions.ts'
import { type KnownTrial, tryKnown } from './wrong-actions-known.ts'

/** Tries out what it is given, one after the other, and prints what came. */
const trials: readonly (Trial | KnownTrial)[] = JSON.parse(process.argv[2] ?? '[]')
const results = []
for (const trial of trials) results.push('chance' in trial ? await tryKnown(trial) : await tryOut(trial))
process.stdout.write(JSON.stringify(results))

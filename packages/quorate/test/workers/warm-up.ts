import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chaosFolder, startChaos } from '../chaos/chaos-panel.ts'
import { compiledIn, type Place, runQuorate, startFleet } from './fleet.ts'

/** Starts and stops a worker once, so that later starts find their modules compiled. */
export async function warmUp(place: Place): Promise<void> {
  const fleet = startFleet({ ...place, workers: 1 })
  await fleet.ready(1)
  await fleet.stop()
}

/** Also compiles the modules for providers, with a debate on a provider of its own. */
export async function warmUpCalls(place: Place): Promise<void> {
  await warmUp(place)
  const folder = join(place.folder, 'warm')
  mkdirSync(folder)
  const fake = await startChaos({ faultRate: 0 })
  chaosFolder(fake.url, { questions: 1, folder })
  const { code, output } = await runQuorate({ ...place, folder, env: compiledIn(place.folder) }, [
    ...['debate', 'questions.jsonl', '--trust-config', '--store', `sqlite:${join(folder, 'warm.db')}`],
  ])
  await fake.close()
  if (code !== 0) throw new Error(`a debate to warm up ended with ${code}: ${output}`)
}

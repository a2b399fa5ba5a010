import { createInterface } from 'node:readline/promises'
import { insistProblem } from '../config/insist.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { ConfiguredAgent } from '../config/resolve-config.ts'
import { isTrusted, pairingFile, readPairings, rememberPairings } from '../config/trusted-pairings.ts'
import { ELICITATIONS } from '../debate/elicit/elicitations.ts'
import { delayed } from '../model/delayed-model.ts'
import type { PersonPrompt } from '../model/manual-model.ts'
import { ModelSetupError } from '../model/model-setup-error.ts'
import type { PaidModel } from '../run/calls/pay-for-call.ts'
import { plainText } from '../text/plain-text.ts'
import type { Flags } from './flags/parse-flags.ts'
import { quoted } from './quoted.ts'
import { surroundings } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** The models of all agents, with their keys in place. A key goes only where it may. */
export async function panelModels(
  { config, env }: LoadedConfig,
  flags: Flags,
): Promise<ReadonlyMap<string, PaidModel>> {
  // Loaded here, so that --help need not wait for the SDKs.
  const { checkModelKey, createModel, modelEndpoint } = await import('../model/create-model.ts')
  const trusted = await readPairings(pairingFile(surroundings().env))
  const isTold = flags.has('trust-config')
  const { panel, seed } = config
  for (const agent of panel.agents) checkAgent(agent, insistProblem(agent, panel))
  const models = new Map<string, PaidModel>()
  const latencyMs = simulatedLatency(surroundings().env['QUORATE_SIMULATED_LATENCY_MS'])
  for (const { name, model, baseURL, apiKeyEnv, insist, script } of panel.agents) {
    const isDrawn = ELICITATIONS[panel.elicitation].isRepeated
    const options = { env, now: Date.now, baseURL, apiKeyEnv, seed, isDrawn, prompt: personPrompt, script }
    const endpoint = modelEndpoint(model, options)
    const trustConfig = isTold || (endpoint !== null && isTrusted(endpoint, trusted))
    models.set(name, { model: delayed(createModel(model, { ...options, trustConfig }), latencyMs), insist })
    checkModelKey(model, options)
    if (isTold && endpoint !== null) await rememberPairings(pairingFile(surroundings().env), [endpoint])
  }
  return models
}

/** For trials of speed: models that ask nobody take as long as others would. */
function simulatedLatency(text = ''): number {
  const milliseconds = Number(text.trim())
  if (milliseconds >= 0 && milliseconds <= 600_000) return milliseconds
  throw new UsageError(`QUORATE_SIMULATED_LATENCY_MS must be milliseconds from 0 to 600000, got ${quoted(text)}`)
}

/** What can be said before anyone is asked, and so before anything is paid. */
function checkAgent({ model }: ConfiguredAgent, problem: string | null): void {
  if (problem !== null) throw new ModelSetupError(model, problem)
  if (!model.startsWith('manual/') || hasPerson()) return
  throw new UsageError(
    `${plainText(model)} needs a person at a terminal, and standard input or standard error is none: run it in a ` +
      'terminal, or give the agent another model',
  )
}

/** Whether somebody can read a question and type an answer here. */
function hasPerson(): boolean {
  return surroundings().stdin.isTTY === true && surroundings().stderr.isTTY === true
}

/** Asks the person at this terminal; the question goes to standard error, so that the output stays clean. */
const personPrompt: PersonPrompt = async (text, signal) => {
  const reader = createInterface({ input: surroundings().stdin, output: surroundings().stderr })
  // The reader takes Ctrl-C from the terminal: whoever listens for it must hear it all the same.
  reader.on('SIGINT', () => process.emit('SIGINT'))
  const left = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
  try {
    const lines = text.split('\n').map(plainText)
    const typed = reader.question(`\n${lines.join('\n')}\n\nYour answer, on one line: `, { signal })
    // Lost against `left`, a question of a closed reader may still reject.
    typed.catch(() => undefined)
    const answer = await Promise.race([typed, left])
    // What was pasted may steer terminals that show it later.
    return answer === null ? null : plainText(answer)
  } finally {
    reader.close()
  }
}

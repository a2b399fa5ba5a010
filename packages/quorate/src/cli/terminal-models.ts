import { createInterface } from 'node:readline/promises'
import type { LoadedConfig } from '../config/load-config.ts'
import { type ConfiguredAgent, everyModel } from '../config/resolve-config.ts'
import { isTrusted, pairingFile, readPairings, rememberPairings } from '../config/trusted-pairings.ts'
import { abortedError } from '../model/aborted-error.ts'
import type { Batching } from '../model/batch/batch-fetch.ts'
import type { PersonPrompt } from '../model/manual-model.ts'
import type { Model } from '../model/model.ts'
import type { PaidModel } from '../run/calls/pay-for-call.ts'
import { plainText } from '../text/plain-text.ts'
import type { Flags } from './flags/parse-flags.ts'
import { quoted } from './quoted.ts'
import { surroundings } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** The models of all agents. A key is sent to a host other than its provider's only if a person has allowed it once. */
export async function panelModels(
  { config, env }: LoadedConfig,
  flags: Flags,
  batches?: Batching['fetchOf'],
): Promise<ReadonlyMap<string, PaidModel>> {
  // Loaded lazily, so that --help is fast.
  const { createPanelModels } = await import('../panel/panel-models.ts')
  const file = pairingFile(surroundings().env)
  const trusted = await readPairings(file)
  const isAllowed = flags.has('trust-config')
  for (const agent of everyModel(config.panel)) checkPerson(agent)
  const latencyMs = simulatedLatency(surroundings().env['QUORATE_SIMULATED_LATENCY_MS'])
  const models = await createPanelModels(config, {
    env,
    now: Date.now,
    prompt: personPrompt,
    batches,
    isTrusted: (endpoint) => isAllowed || isTrusted(endpoint, trusted),
    onEndpoint: async (endpoint) => {
      if (isAllowed) await rememberPairings(file, [endpoint])
    },
  })
  return new Map([...models].map(([name, { model, insist }]) => [name, { model: delayed(model, latencyMs), insist }]))
}

/** An artificial latency for simulated models, to measure speed as with real ones. */
function simulatedLatency(text = ''): number {
  const milliseconds = Number(text.trim())
  if (milliseconds >= 0 && milliseconds <= 600_000) return milliseconds
  throw new UsageError(`QUORATE_SIMULATED_LATENCY_MS must be milliseconds from 0 to 600000, got ${quoted(text)}`)
}

/** A manual model asks a person at the terminal, so it needs one. */
function checkPerson({ model }: ConfiguredAgent): void {
  if (!model.startsWith('manual/') || hasPerson()) return
  throw new UsageError(
    `${plainText(model)} needs a person at a terminal, and standard input or standard error is not one: run it in a ` +
      'terminal, or give the agent another model',
  )
}

/** Whether a person can read a question and type an answer here. */
function hasPerson(): boolean {
  return surroundings().stdin.isTTY === true && surroundings().stderr.isTTY === true
}

/** Asks the person at this terminal. The question goes to standard error, so that standard output has only results. */
const personPrompt: PersonPrompt = async (text, signal) => {
  const reader = createInterface({ input: surroundings().stdin, output: surroundings().stderr })
  // The reader consumes Ctrl-C from the terminal, so it is emitted again for the other listeners.
  reader.on('SIGINT', () => process.emit('SIGINT'))
  const left = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
  try {
    const lines = text.split('\n').map(plainText)
    const typed = reader.question(`\n${lines.join('\n')}\n\nYour answer, on one line: `, { signal })
    // If `left` wins the race, this promise may still reject later, which must not be unhandled.
    typed.catch(() => undefined)
    const answer = await Promise.race([typed, left])
    // Pasted text may contain control sequences for the terminals that show it later.
    return answer === null ? null : plainText(answer)
  } finally {
    reader.close()
  }
}

/** Adds the latency to a simulated or scripted model. Other models are returned unchanged. */
function delayed(model: Model, latencyMs: number): Model {
  if (latencyMs === 0 || !['simulated', 'scripted'].includes(model.provider)) return model
  return {
    ...model,
    async call(request) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          request.signal.removeEventListener('abort', stop)
          resolve()
        }, latencyMs)
        const stop = () => {
          clearTimeout(timer)
          reject(abortedError(model.id, request.signal))
        }
        if (request.signal.aborted) stop()
        else request.signal.addEventListener('abort', stop, { once: true })
      })
      return model.call(request)
    },
  }
}

import type { ModelReply } from './model.ts'

/** Environment variables by name, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

export const REDACTED = '[redacted]'

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH/i
/** Shorter values of variables whose name only sounds secret are left alone, because they may be ordinary words. */
const SHORTEST_GUESS = 8
/** Known forms of keys, also in part: providers echo them with asterisks in the middle. */
const SHAPES = [
  /\b(?:sk|pk|rk)-[\w*.-]{6,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9*]{8,}/g,
  /\b(Bearer|Basic)\s+[\w.~+/=*-]{6,}/gi,
  /\/\/[^\s/@:]+:[^\s/@]+@/g,
]

/**
 * Removes the values of secret variables, however they are written (plain, JSON, URL, base64), and whatever looks like
 * a key. `names` are variables that contain a secret whatever they are called.
 */
export function redactSecrets(text: string, env: Environment, names: readonly string[] = []): string {
  let clean = text
  for (const form of secretForms(env, new Set(names))) clean = clean.replaceAll(form, REDACTED)
  for (const shape of SHAPES) clean = clean.replace(shape, REDACTED)
  return clean
}

/**
 * The values of these variables in every way they may be written, without those that are so short that they may be
 * ordinary words.
 */
export function keyForms(env: Environment, names: readonly string[]): readonly string[] {
  const found = names.flatMap((name) => ((env[name]?.trim().length ?? 0) >= SHORTEST_GUESS ? [[name, env[name]]] : []))
  return secretForms(Object.fromEntries(found), new Set(names))
}

/** Longest first, so that nothing remains of a value that contains another. */
function secretForms(env: Environment, named: ReadonlySet<string>): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) => {
    if (named.has(name)) return [value, value.trim()]
    return SECRET_NAME.test(name) && value.trim().length >= SHORTEST_GUESS ? [value, value.trim()] : []
  })
  const forms = values.flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(Buffer.from(value).toString()),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ])
  return [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length)
}

/**
 * Removes our keys from a reply. A key that a server repeats would be stored, and from the next round on sent to the
 * providers of all other agents. Its tokens, which spell the key too, are then dropped.
 */
export function withoutKeys(reply: ModelReply, keys: readonly string[]): ModelReply {
  const clean = (text: string): string => keys.reduce((left, key) => left.replaceAll(key, REDACTED), text)
  const text = clean(reply.text)
  return {
    ...reply,
    text,
    servedModel: reply.servedModel === null ? null : clean(reply.servedModel),
    logprobs: text === reply.text ? reply.logprobs : null,
    warnings: reply.warnings.map(clean),
  }
}

export const NOT_REPEATED = 'a value that is not repeated here'

export interface FoundSecret {
  readonly offset: number
  /** What to do about it. */
  readonly instead: string
}

const NAME_VARIABLE = 'keys come only from the environment, and apiKeyEnv names the variable'

/** Forms of keys that providers issue, long enough not to match an ordinary word. */
const KEY_SHAPES = [
  /\b(?:sk|pk|rk)-[\w-]{12,}/,
  /\b(?:sk|pk|rk|gsk)_[A-Za-z0-9_]{16,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/,
  /\bABSK[A-Za-z0-9+/=]{20,}/,
  /\bAIza[\w-]{30,}/,
  /\b(?:hf|ghp|gho|ghs|github_pat)_\w{16,}/,
  /\beyJ[\w-]{10,1000}\.[\w-]{10,}/,
  // A longer header is found only at the beginning of a word, because a search from each `eyJ` would take quadratic time.
  /(?<![\w-])eyJ[\w-]{1000,}\.[\w-]{10,}/,
  /\bBearer\s+[\w.~+/=-]{16,}/i,
]
const PASSWORD_IN_URL = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:"']*:[^\s/@"']+@/i
const PASSWORD_IN_QUERY = /[?&](?:password|sslpassword|passfile)=[^\s&"']/i
const SECRET_NAME =
  /^(?:(?:api|access|secret|private|auth)[-_]?)?(?:keys?|tokens?|secrets?)$|^(?:password|passwd|passphrase|credentials?|authorization|bearer|secret[-_]?access[-_]?key)$/i

/** Finds what looks like a key or a password in a text, its comments included. */
export function findSecret(text: string): FoundSecret | null {
  for (const shape of KEY_SHAPES) {
    const found = shape.exec(text)
    if (found !== null) return { offset: found.index, instead: NAME_VARIABLE }
  }
  const found = PASSWORD_IN_URL.exec(text) ?? PASSWORD_IN_QUERY.exec(text)
  if (found === null) return null
  return { offset: found.index, instead: 'an address with a password belongs in the environment (QUORATE_STORE)' }
}

export function hasPassword(url: string): boolean {
  const isParsed = URL.canParse(url) && new URL(url).password !== ''
  return isParsed || PASSWORD_IN_URL.test(url) || PASSWORD_IN_QUERY.test(url)
}

/** Names of keys under which people write secrets. None of ours is among them. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

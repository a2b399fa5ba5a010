const NAME = 'quorate-session'

/** Where the browser keeps nothing for us, until the page is left. */
let inMemory: string | null = null

/** The half of a session that, unlike the cookie, no other port of this host is sent. */
export function sessionKey(): string | null {
  try {
    return localStorage.getItem(NAME) ?? inMemory
  } catch {
    return inMemory
  }
}

export function storeSessionKey(key: string): void {
  inMemory = key
  try {
    localStorage.setItem(NAME, key)
  } catch {
    // Storage is off: the session lasts as long as the page.
  }
}

export function clearSessionKey(): void {
  inMemory = null
  try {
    localStorage.removeItem(NAME)
  } catch {
    // Storage is off: nothing was kept.
  }
}

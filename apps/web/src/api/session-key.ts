const NAME = 'quorate-session'

/** Replaces the storage of a browser that has it switched off. It lasts until the page is left. */
let inMemory: string | null = null

/** The second half of a session. Browsers send a cookie to every port of a host, but this key stays with this origin. */
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
    // Storage is switched off, so the session lasts as long as the page.
  }
}

export function clearSessionKey(): void {
  inMemory = null
  try {
    localStorage.removeItem(NAME)
  } catch {
    // Storage is switched off, so nothing was stored.
  }
}

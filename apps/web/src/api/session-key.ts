import { readStored, writeStored } from './browser-storage.ts'

const NAME = 'quorate-session'

/** The second half of a session. Browsers send a cookie to every port of a host, but this key stays with this origin. */
export function sessionKey(): string | null {
  return readStored('localStorage', NAME)
}

export function storeSessionKey(key: string): void {
  writeStored('localStorage', NAME, key)
}

export function clearSessionKey(): void {
  writeStored('localStorage', NAME, null)
}

import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../api/browser-storage.ts'

/** A filter of the debates that was saved under a name in this browser. */
export interface SavedView {
  readonly name: string
  readonly query: Readonly<Record<string, string>>
}

const KEY = 'quorate-views'
const MAX_VIEWS = 12
const listeners = new Set<() => void>()
let cached: { readonly text: string | null; readonly views: readonly SavedView[] } = { text: null, views: [] }

export function useSavedViews(): readonly SavedView[] {
  return useSyncExternalStore(subscribe, readViews)
}

export function saveView(view: SavedView): void {
  write([...readViews().filter(({ name }) => name !== view.name), view].slice(-MAX_VIEWS))
}

export function removeView(name: string): void {
  write(readViews().filter((view) => view.name !== name))
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

function write(views: readonly SavedView[]): void {
  writeStored('localStorage', KEY, JSON.stringify(views))
  for (const listen of listeners) listen()
}

/** Returns the same list as long as nothing changed. Entries that are not views are ignored. */
function readViews(): readonly SavedView[] {
  const text = readStored('localStorage', KEY)
  if (text !== cached.text) cached = { text, views: parsed(text) }
  return cached.views
}

function parsed(text: string | null): readonly SavedView[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter(isView) : []
  } catch {
    return []
  }
}

function isView(found: unknown): found is SavedView {
  if (typeof found !== 'object' || found === null || !('name' in found) || !('query' in found)) return false
  const { name, query } = found
  if (typeof name !== 'string' || typeof query !== 'object' || query === null) return false
  return Object.values(query).every((value) => typeof value === 'string')
}

import { useState } from 'react'
import { readStored, writeStored } from '../api/browser-storage.ts'

const WORDS = {
  theme: (theme: 'system' | 'light' | 'dark') =>
    ({ system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' })[theme],
} as const

const KEY = 'quorate-theme'
const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** Applies the theme that the user chose before, so that the first page is rendered with it. */
export function applyStoredTheme(): void {
  apply(storedTheme())
}

export function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  return (
    <button
      type="button"
      className="quiet"
      title="Light, dark, or the setting of the system"
      onClick={() => {
        writeStored('localStorage', KEY, next)
        apply(next)
        setTheme(next)
      }}
    >
      {WORDS.theme(theme)}
    </button>
  )
}

function storedTheme(): Theme {
  const stored = readStored('localStorage', KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

function apply(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.setAttribute('data-theme', theme)
}

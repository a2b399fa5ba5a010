const PATHS = {
  overview: 'M2 13V7M6 13V3M10 13V9M14 13V5',
  runs: 'M3 3.5h10M3 8h10M3 12.5h6',
  debates: 'M2 3h9v6H6l-2.5 2.5V9H2ZM12 6h2v5h-1v2l-2-2H8',
  review: 'M2.5 8.5 6 12 13.5 4',
  certificates: 'M8 1.8l5 2v4c0 3.4-2.2 5.6-5 6.6-2.8-1-5-3.2-5-6.6v-4ZM5.6 8l1.8 1.8L10.6 6.4',
  settings: 'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M9 3v3M4 10v3',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.5 10.5 14 14',
  export: 'M8 2v8M4.8 7 8 10.2 11.2 7M3 13.5h10',
} as const

export type IconName = keyof typeof PATHS

/** Decoration beside a word, or in a button that has an accessible name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

export function Logo() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <circle cx="5" cy="6" r="3.4" fill="currentColor" />
      <circle cx="13" cy="6" r="3.4" fill="currentColor" />
      <path d="M1.5 13.5h15" stroke="currentColor" strokeWidth="2" />
    </svg>
  )
}

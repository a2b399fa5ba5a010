import type { ReactNode } from 'react'

/** A wide table that scrolls by itself, so that the page never scrolls sideways. */
export function ScrollRegion({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="scroll" aria-label={name} tabIndex={0}>
      {children}
    </section>
  )
}

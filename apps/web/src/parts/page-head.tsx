import type { ReactNode } from 'react'

interface PageHeadProps {
  readonly title: ReactNode
  /** Between the title and the tools: chips and tabs. */
  readonly children?: ReactNode
  readonly tools?: ReactNode
}

/** The heading of a page. */
export function PageHead({ title, children, tools }: PageHeadProps) {
  return (
    <div className="head">
      <h1>{title}</h1>
      {children}
      {tools === undefined ? null : <div className="tools">{tools}</div>}
    </div>
  )
}

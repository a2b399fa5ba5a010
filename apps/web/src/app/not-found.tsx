import { TEXT } from '../text/english.ts'
import { linkTo } from './router.ts'

export function NotFound() {
  return (
    <section className="state">
      <h1>{TEXT.app.notFound}</h1>
      <p>
        <a href={linkTo('')}>{TEXT.app.toOverview}</a>
      </p>
    </section>
  )
}

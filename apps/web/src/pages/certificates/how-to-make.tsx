import { TEXT } from '../../text/english.ts'

export function HowToMake() {
  return (
    <section className="make">
      <h2>{TEXT.certificates.make}</h2>
      <p>{TEXT.certificates.labelsFrom}</p>
      <p>{TEXT.certificates.makeFile}</p>
      <pre>{TEXT.certificates.makeCommand}</pre>
      <p>{TEXT.certificates.makeHttp}</p>
      <pre>{TEXT.certificates.makeCurl(window.location.origin)}</pre>
    </section>
  )
}

import { TEXT } from '../../text/english.ts'
import '../../style/blocks.css'

/** How a certificate comes about. */
export function MakeOne() {
  const words = TEXT.certificates
  return (
    <section className="section">
      <h2>{words.make}</h2>
      <p>{words.labelsFrom}</p>
      <p>{words.makeFile}</p>
      <pre>{words.makeCommand}</pre>
      <p>{words.makeHttp}</p>
      <pre>{words.makeCurl(window.location.origin)}</pre>
    </section>
  )
}

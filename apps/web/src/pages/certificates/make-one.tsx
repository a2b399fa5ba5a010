import '../../style/blocks.css'

const WORDS = {
  makeCurl: (origin: string) =>
    `curl --data-binary @debates.jsonl --header "Content-Type: application/x-ndjson" \\\n  --header "Authorization: Bearer $QUORATE_TOKEN" "${origin}/v1/certificates?beta=0.10"`,
} as const

/** Explains how to make a certificate. */
export function MakeOne() {
  return (
    <section className="section">
      <h2>How to make one</h2>
      <p>Only imported labels and spot checks may make a certificate, because deferrals are not a random sample.</p>
      <p>From a file of labelled debates, on the command line:</p>
      <pre>
        {
          'quorate calibrate debates.jsonl --beta 0.10 --out certificate.json\nquorate serve --certificate certificate.json'
        }
      </pre>
      <p>Or over HTTP, with an admin token:</p>
      <pre>{WORDS.makeCurl(window.location.origin)}</pre>
    </section>
  )
}

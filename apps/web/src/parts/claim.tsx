import '../style/blocks.css'

/** The sentences that accompany every budget. The server writes them. */
export function Claim({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <div className="promise">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}

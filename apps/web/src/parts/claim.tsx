import '../style/blocks.css'

/** The sentences that stand wherever a budget is printed; the server makes them. */
export function Claim({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <div className="promise">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}

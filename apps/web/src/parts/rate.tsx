import type { CountedShare } from 'quorate/contract'
import { countText, percentText } from 'quorate/figures'

const WORDS = {
  countOf: (count: string, of: string) => `${count} of ${of}`,
} as const

/** A share in per cent with its interval, or a dash and the reason if nothing was counted. */
export function Rate({ share, why }: { readonly share: CountedShare | null; readonly why: string }) {
  if (share === null) return <Missing why={why} />
  return (
    <span className="rate" title={WORDS.countOf(countText(share.count), countText(share.of))}>
      {percentText(share.share)} %{' '}
      <span className="interval">
        ({percentText(share.lower)}–{percentText(share.upper)})
      </span>
    </span>
  )
}

/** A dash and the reason. An unknown value is never shown as zero. */
export function Missing({ why }: { readonly why: string }) {
  return (
    <span className="soft">
      – <span className="interval">{why}</span>
    </span>
  )
}

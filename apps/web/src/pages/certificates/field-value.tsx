import { DataText } from '../../parts/data-text.tsx'
import { fieldLines } from './field-lines.ts'

/** The value of any field of a fingerprint. */
export function FieldValue({ value }: { readonly value: unknown }) {
  const lines = fieldLines(value)
  if (lines === null) return <span className="soft">– not known</span>
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat and never move
    <span key={index} className="field-line">
      <DataText text={line} />
    </span>
  ))
}

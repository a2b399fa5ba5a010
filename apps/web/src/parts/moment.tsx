/** A time in the format of the reader's locale. */
export function Moment({ at }: { readonly at: number }) {
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} title={moment.toISOString()}>
      {moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  )
}

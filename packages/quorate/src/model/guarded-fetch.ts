/** No reply of a few thousand tokens comes near this, packed or not. */
const MOST_BYTES = 16 * 1024 * 1024

/** What a server may do to us: no redirect, which would carry the key to another host, and no body without end. */
export function guardedFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => bounded(await send(input, { ...init, redirect: 'manual' }))
}

/** The same response; its body fails once more has come out of it, after unpacking, than a reply can have. */
function bounded(response: Response): Response {
  if (response.body === null || isKnownSmall(response.headers)) return response
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > MOST_BYTES) controller.error(new TypeError(`the reply is larger than ${MOST_BYTES} bytes`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers })
}

/** Counting costs time: what says its length and is not packed cannot be longer than it says. */
function isKnownSmall(headers: Headers): boolean {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  return headers.get('content-encoding') === null && length <= MOST_BYTES
}

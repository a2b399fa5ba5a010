import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sleep } from '../traffic/traffic.ts'
import { hasBody } from './connections.ts'

/** The largest JSON body is 1 MB. */
export const BODY_MS = 30_000

/** Debates of a calibration: their time is that of the whole server. */
const UPLOAD = /^\/v1\/certificates(?:[?#]|$)/

/** A body that does not come, or still comes long after its answer, must not keep its connection. */
export function endSlowBody(request: IncomingMessage, response: ServerResponse, sleep: Sleep): void {
  const { url = '', method } = request
  if (!hasBody(request)) return
  const over = new AbortController()
  // Without a reason an error would be made for each request.
  request.once('close', () => over.abort('over'))
  const endLater = async () => {
    await sleep(BODY_MS, over.signal)
    if (!over.signal.aborted && !request.complete) request.socket.destroy()
  }
  if (method === 'POST' && UPLOAD.test(url)) response.once('finish', () => void endLater())
  else void endLater()
}

import type { Sleep } from '../traffic/traffic.ts'

export interface StreamedEvent {
  readonly event: string
  readonly data: unknown
}

export interface StreamOptions {
  /** Of the events too: whoever makes them stops when it fires. */
  readonly gone: AbortController
  /** The event that nothing follows. */
  readonly last: string
  readonly sleep: Sleep
  readonly heartbeatMs: number
  readonly report: (words: string, cause?: unknown) => void
}

/** Events as text/event-stream, with a comment now and then so that nobody between us closes a quiet connection. */
export function eventStream(events: AsyncIterable<StreamedEvent>, options: StreamOptions): ReadableStream<Uint8Array> {
  const { gone, last, sleep, heartbeatMs, report } = options
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(text))
      }
      // The head goes out at once, whenever the first round comes.
      write(': the rounds of a decision\n\n')
      const beat = async () => {
        while (!gone.signal.aborted) {
          await sleep(heartbeatMs, gone.signal)
          write(': still here\n\n')
        }
      }
      const send = async () => {
        for await (const { event, data } of events) {
          write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
          if (event === last || gone.signal.aborted) break
        }
      }
      void beat()
      void send()
        .catch((cause: unknown) => report('a stream of events broke', cause))
        .finally(() => end(controller, gone))
    },
    cancel() {
      gone.abort()
    },
  })
}

function end(controller: ReadableStreamDefaultController, gone: AbortController): void {
  const isCancelled = gone.signal.aborted
  gone.abort()
  try {
    controller.close()
  } catch (error) {
    // Who left has closed it.
    if (!isCancelled) throw error
  }
}

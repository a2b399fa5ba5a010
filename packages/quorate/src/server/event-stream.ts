import type { Sleep } from '../traffic/traffic.ts'

export interface StreamedEvent {
  readonly event: string
  readonly data: unknown
}

export interface StreamOptions {
  /** Fires when the client disconnects. The source of the events stops then too. */
  readonly gone: AbortController
  readonly sleep: Sleep
  readonly heartbeatMs: number
  readonly report: (words: string, cause?: unknown) => void
}

/** Events as text/event-stream. */
export function eventStream(
  events: AsyncIterable<StreamedEvent>,
  {
    last,
    ...options
  }: StreamOptions & {
    /** The name of the last event. */
    readonly last: string
  },
): ReadableStream<Uint8Array> {
  return frameStream(framesOf(events, last), options)
}

async function* framesOf(events: AsyncIterable<StreamedEvent>, last: string): AsyncGenerator<string> {
  // Sends the headers at once, however long the first round takes.
  yield ': the rounds of a decision\n\n'
  for await (const { event, data } of events) {
    yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    if (event === last) return
  }
}

/** Frames of text/event-stream. Regular comments keep proxies from closing a quiet connection. */
export function frameStream(frames: AsyncIterable<string>, options: StreamOptions): ReadableStream<Uint8Array> {
  const { gone, sleep, heartbeatMs, report } = options
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (!gone.signal.aborted) controller.enqueue(encoder.encode(text))
      }
      const beat = async () => {
        while (!gone.signal.aborted) {
          await sleep(heartbeatMs, gone.signal)
          write(': still here\n\n')
        }
      }
      const send = async () => {
        for await (const frame of frames) {
          write(frame)
          if (gone.signal.aborted) break
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
    // A client that disconnected has closed it already.
    if (!isCancelled) throw error
  }
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Lease } from './lease.ts'

/** Told by Node's fetch right before the first byte of a request is written. */
const FIRST_BYTE = 'undici:client:sendHeaders'

/**
 * Looks at the lease in the last moment of every request of this process, and cuts its connection where it is over.
 * Between a call of fetch and its first byte lie milliseconds, more where a connection is opened first, and a process
 * that was stopped in them would send what others sent since. Returns how to stop looking.
 */
export function lookBeforeSending({ check }: Pick<Lease, 'check'>): () => void {
  const look = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket } // as Node documents it
    try {
      check()
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
  subscribe(FIRST_BYTE, look)
  return () => unsubscribe(FIRST_BYTE, look)
}

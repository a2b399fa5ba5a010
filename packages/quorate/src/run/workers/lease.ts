import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { StoreError } from '../../record/store-error.ts'
import { SILENT_SECONDS } from './job-queue.ts'

/** Whether the jobs of this process are surely still its own. */
export interface Lease {
  /** Before a sign of life is given; what it returns is called when the sign has arrived. */
  begin(): () => void
  /** True where no sign of life arrived for so long that others may do our work by now. */
  isOver(): boolean
  /** Throws where it is over. */
  check(): void
}

/** Ends before others may take a job over: a sign counts from when it was sent. */
const LEASE_MS = 0.8 * SILENT_SECONDS * 1000

/** `elapsed`: milliseconds that go on while the process is stopped. */
export function createLease(elapsed: () => number): Lease {
  let lastSign = elapsed()
  const isOver = () => !(elapsed() - lastSign < LEASE_MS)
  return {
    isOver,
    begin() {
      const sent = elapsed()
      return () => {
        lastSign = sent
      }
    },
    check() {
      if (!isOver()) return
      const seconds = Math.round((elapsed() - lastSign) / 1000)
      throw new StoreError(
        'fenced',
        `this worker paused for ${seconds} s, so others may have its work; it drops the question`,
      )
    },
  }
}

/** Published by Node's fetch right before the first byte of a request is written. */
const FIRST_BYTE = 'undici:client:sendHeaders'

/**
 * Checks the lease in the last moment of every request of this process, and cuts its connection where it is over.
 * Between a call of fetch and its first byte lie milliseconds, more where a connection is opened first, and a process
 * that was stopped in them would send what others sent since. Returns how to stop checking.
 */
export function checkLeaseBeforeSending({ check }: Lease): () => void {
  const checkBeforeFirstByte = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket } // as Node documents it
    try {
      check()
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
  subscribe(FIRST_BYTE, checkBeforeFirstByte)
  return () => unsubscribe(FIRST_BYTE, checkBeforeFirstByte)
}

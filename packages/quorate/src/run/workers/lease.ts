import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { StoreError } from '../../record/store-error.ts'
import { HEARTBEAT_SECONDS } from './job-queue.ts'

/** Whether this process certainly still owns its jobs. */
export interface Lease {
  /** Called before a heartbeat is sent. The returned function is called when the heartbeat has arrived. */
  begin(): () => void
  /** True if no heartbeat arrived for so long that other workers may have the jobs. */
  isOver(): boolean
  /** Throws if the lease is over. */
  check(): void
}

/** Shorter than the time after which others may take a job over. It counts from when the heartbeat was sent. */
const LEASE_MS = 0.8 * HEARTBEAT_SECONDS * 1000

/** `elapsed`: milliseconds of a clock that keeps running while the process is stopped. */
export function createLease(elapsed: () => number): Lease {
  let renewedAt = elapsed()
  const isOver = () => !(elapsed() - renewedAt < LEASE_MS)
  return {
    isOver,
    begin() {
      const sent = elapsed()
      return () => {
        renewedAt = sent
      }
    },
    check() {
      if (!isOver()) return
      const seconds = Math.round((elapsed() - renewedAt) / 1000)
      throw new StoreError(
        'fenced',
        `this worker paused for ${seconds} s, so others may have its work. It drops the question`,
      )
    },
  }
}

/** Published by Node's fetch right before the first byte of a request is written. */
const FIRST_BYTE = 'undici:client:sendHeaders'

/**
 * Checks the lease at the last moment before every request of this process is sent, and destroys the connection if the lease
 * is over. Between a call of fetch and its first byte there are milliseconds, more if a connection is opened first. A process
 * that was stopped in between would send what others have sent since. Returns a function that stops the checks.
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

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { isLoopback } from '../model/loopback.ts'

export interface ConnectionLimits {
  /** Below what most systems allow a process, because the store and webhooks need files and connections too. */
  readonly total: number
  readonly perAddress: number
  /** A proxy on this machine connects for all its clients, so only `total` limits its connections. */
  readonly isBehindProxy: boolean
}

/** Counts since the start of the process. */
export interface ConnectionCounts {
  readonly open: number
  /** Connections that waited for their client and were closed to admit a new one. */
  readonly displaced: number
  /** New connections that were closed at once, because no other one could be displaced. */
  readonly refused: number
}

interface Connection {
  readonly socket: Socket
  readonly owner: Owner
  /** Requests that were fully received and are not answered yet. */
  pending: number
}

/** The connections of one client address. */
interface Owner {
  readonly address: string
  readonly isExempt: boolean
  readonly all: Set<Connection>
  /** Connections whose client has to send something (headers, a body, the next request), the longest wait first. */
  readonly waiting: Set<Connection>
}

/**
 * Limits the connections of a server, per client address and in total. At a limit a new connection displaces the one that has
 * waited longest for its client, so clients that connect and send nothing cannot lock others out. A connection that waits for
 * the server is never displaced. If no connection waits for its client, the new one is refused.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): () => ConnectionCounts {
  const owners = new Map<string, Owner>()
  const connections = new Map<Socket, Connection>()
  let [displaced, refused] = [0, 0]

  function ownerOf(address: string): Owner {
    const isExempt = limits.isBehindProxy && isLoopback(address)
    const owner = owners.get(address) ?? { address, isExempt, all: new Set(), waiting: new Set() }
    owners.set(address, owner)
    return owner
  }

  function forget(connection: Connection): void {
    const { socket, owner } = connection
    connections.delete(socket)
    owner.waiting.delete(connection)
    owner.all.delete(connection)
    if (owner.all.size === 0) owners.delete(owner.address)
  }

  /** False: no connection of this owner can be displaced. */
  function displace(owner: Owner): boolean {
    const [longest] = owner.waiting
    if (longest === undefined) return false
    displaced += 1
    forget(longest)
    longest.socket.destroy()
    return true
  }

  function hasRoom(owner: Owner): boolean {
    if (!owner.isExempt && owner.all.size >= limits.perAddress && !displace(owner)) return false
    return connections.size < limits.total || [...owners.values()].sort(mostFirst).some(displace)
  }

  server.on('connection', (socket: Socket) => {
    const owner = ownerOf(clientNetwork(socket.remoteAddress ?? ''))
    if (!hasRoom(owner)) {
      refused += 1
      if (owner.all.size === 0) owners.delete(owner.address)
      socket.destroy()
      return
    }
    const connection: Connection = { socket, owner, pending: 0 }
    // The displaced connection may have been the last of this address.
    owners.set(owner.address, owner)
    owner.all.add(connection)
    owner.waiting.add(connection)
    connections.set(socket, connection)
    socket.once('close', () => {
      if (connections.get(socket) === connection) forget(connection)
    })
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket)
    if (connection !== undefined) followRequest(connection, request, response)
  })
  return () => ({ open: connections.size, displaced, refused })
}

function mostFirst(left: Owner, right: Owner): number {
  return right.all.size - left.all.size
}

/** A request waits for the server from its last byte to the end of its response. */
function followRequest(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
  const { owner } = connection
  let state: 'receiving' | 'received' | 'answered' = 'receiving'
  const received = () => {
    if (state !== 'receiving') return
    state = 'received'
    connection.pending += 1
    owner.waiting.delete(connection)
  }
  response.once('close', () => {
    if (state === 'received') connection.pending -= 1
    state = 'answered'
    if (connection.pending > 0 || !owner.all.has(connection)) return
    // It now waits for its client again, the shortest of all.
    owner.waiting.delete(connection)
    owner.waiting.add(connection)
  })
  if (hasBody(request)) request.once('end', received)
  else received()
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
}

/** An IPv4 address, or the /64 network of an IPv6 address, because one client usually has the whole network. */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [bare = ''] = address.split('%', 1)
  if (!isIPv6(bare) || bare === '::1') return bare
  const [head = '', tail] = bare.toLowerCase().split('::', 2)
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  const groups = [...first, ...(tail === undefined ? [] : zeros), ...last].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

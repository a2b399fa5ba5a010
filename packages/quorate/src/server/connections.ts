import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { isLoopback } from './access/own-address.ts'

export interface ConnectionLimits {
  /** Below what most systems allow a process: the store and webhooks need files and connections too. */
  readonly total: number
  readonly perAddress: number
  /** The connections of a proxy at this machine are those of all its clients: only `total` bounds them. */
  readonly isBehindProxy: boolean
}

/** Connections since the start of the process. */
export interface ConnectionCounts {
  readonly open: number
  /** Closed for a new one, because they waited for their client. */
  readonly displaced: number
  /** Closed at once, because no other one could be closed for them. */
  readonly refused: number
}

interface Connection {
  readonly socket: Socket
  readonly owner: Owner
  /** Requests that were received whole and are not answered yet. */
  pending: number
}

/** The connections of one client address. */
interface Owner {
  readonly address: string
  readonly isExempt: boolean
  readonly all: Set<Connection>
  /** Those whose client has to send something (headers, a body, the next request), the longest wait first. */
  readonly waiting: Set<Connection>
}

/**
 * Bounds the connections of a server, of each address and of all. At a limit a new connection displaces the one that has
 * waited longest for its client, so clients that connect and send nothing keep nobody out; one that waits for us is never
 * displaced. Where none waits for its client, the new connection is refused.
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

  /** False: nobody can be displaced. */
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

/** From its last byte to the end of its answer a request waits for us. */
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
    // Again at the end of the line.
    owner.waiting.delete(connection)
    owner.waiting.add(connection)
  })
  if (hasBody(request)) request.once('end', received)
  else received()
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
}

/** IPv4 as it is; of IPv6 the network (/64), all of which one client usually has. */
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

import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, inflateRaw, zstdDecompress } from 'node:zlib'
import { FileError } from '../../../files/file-error.ts'
import { plainText } from '../../../text/plain-text.ts'

/** One file of an archive. */
export interface ZipEntry {
  readonly name: string
  text(): Promise<string>
}

/** Largest unpacked file in bytes, so that a small archive cannot fill the memory. */
const LARGEST_ENTRY = 256 * 2 ** 20
const LARGEST_DIRECTORY = 256 * 2 ** 20

const inflated = promisify(inflateRaw)
const unzstd = promisify(zstdDecompress)

/** Opens a ZIP archive (PKWARE APPNOTE 6.3). Files may be stored, deflated or in Zstandard, also with 64-bit sizes. */
export async function withZip<Result>(
  path: string,
  work: (entries: readonly ZipEntry[]) => Promise<Result>,
): Promise<Result> {
  const file = await open(path).catch((cause: unknown) => {
    throw new FileError(`cannot read ${plainText(path)}`, { cause })
  })
  try {
    return await work(await entriesOf(file, plainText(path)))
  } finally {
    await file.close()
  }
}

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const HEADER_BYTES = 46
const LOCAL_BYTES = 30
/** Placeholders: the number is elsewhere, in 64 bits. */
const UNSET = 0xffff_ffff
const UNSET_COUNT = 0xffff

async function entriesOf(file: FileHandle, name: string): Promise<readonly ZipEntry[]> {
  const { start, bytes, count } = await directoryOf(file, name)
  if (bytes > LARGEST_DIRECTORY) throw broken(name, 'its list of files is too long')
  const directory = await readAt(file, start, bytes, name)
  const entries: ZipEntry[] = []
  let at = 0
  while (at + HEADER_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY) {
    const nameEnd = at + HEADER_BYTES + directory.readUInt16LE(at + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
    const place = {
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      ...wide(directory.subarray(nameEnd, extraEnd), {
        size: directory.readUInt32LE(at + 24),
        packed: directory.readUInt32LE(at + 20),
        offset: directory.readUInt32LE(at + 42),
      }),
    }
    const entry = directory.toString('utf8', at + HEADER_BYTES, nameEnd)
    const dataStart = await dataStartOf(file, place.offset, { entry, name })
    entries.push({ name: entry, text: () => textOf(file, { ...place, dataStart }, `${name}: ${plainText(entry)}`) })
    at = extraEnd + directory.readUInt16LE(at + 32)
  }
  // A list that ends early would hide files, perhaps the questions that a model answered wrong.
  if (at !== directory.length || entries.length !== count) throw broken(name, 'its list of files is damaged')
  return entries
}

/** Finds the bytes of a file. Its name is repeated before them and must match. */
async function dataStartOf(
  file: FileHandle,
  offset: number,
  { entry, name }: { readonly entry: string; readonly name: string },
): Promise<number> {
  const header = await readAt(file, offset, LOCAL_BYTES, name)
  const nameBytes = header.readUInt16LE(26)
  const named = await readAt(file, offset + LOCAL_BYTES, nameBytes, name)
  if (header.readUInt32LE(0) !== LOCAL || named.toString('utf8') !== entry) {
    throw broken(name, `its list of files names ${plainText(entry)}, which is not there`)
  }
  return offset + LOCAL_BYTES + nameBytes + header.readUInt16LE(28)
}

interface Directory {
  readonly start: number
  readonly bytes: number
  /** Files in the archive. */
  readonly count: number
}

async function directoryOf(file: FileHandle, name: string): Promise<Directory> {
  const { size } = await file.stat()
  const from = Math.max(0, size - END_BYTES - LONGEST_COMMENT)
  const tail = await readAt(file, from, size - from, name)
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue
    const start = tail.readUInt32LE(at + 16)
    const count = tail.readUInt16LE(at + 10)
    if (start !== UNSET && count !== UNSET_COUNT) return { start, bytes: tail.readUInt32LE(at + 12), count }
    if (at < 20 || tail.readUInt32LE(at - 20) !== LOCATOR_64) break
    const end = await readAt(file, Number(tail.readBigUInt64LE(at - 12)), 56, name)
    if (end.readUInt32LE(0) !== END_64) break
    const [bytes, place] = [Number(end.readBigUInt64LE(40)), Number(end.readBigUInt64LE(48))]
    return { start: place, bytes, count: Number(end.readBigUInt64LE(32)) }
  }
  throw broken(name, 'its list of files is missing, so it may have been cut')
}

interface Sizes {
  readonly size: number
  readonly packed: number
  readonly offset: number
}

interface PackedEntry extends Sizes {
  readonly method: number
  /** Where its bytes begin. */
  readonly dataStart: number
  /** CRC-32 of the bytes before they were packed. */
  readonly checksum: number
}

/** Sizes that do not fit in 32 bits are in an extra field, in this order. */
function wide(extra: Buffer, sizes: Sizes): Sizes {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let next = at + 4
    const read = (value: number) => {
      if (value !== UNSET || next + 8 > extra.length) return value
      next += 8
      return Number(extra.readBigUInt64LE(next - 8))
    }
    const size = read(sizes.size)
    const packed = read(sizes.packed)
    return { size, packed, offset: read(sizes.offset) }
  }
  return sizes
}

async function textOf(file: FileHandle, entry: PackedEntry, place: string): Promise<string> {
  if (entry.size > LARGEST_ENTRY || entry.packed > LARGEST_ENTRY) {
    throw new FileError(`${place} must have at most ${LARGEST_ENTRY} bytes, got ${entry.size}`)
  }
  const packed = await readAt(file, entry.dataStart, entry.packed, place)
  const bytes = await unpacked(packed, entry.method, place)
  if (bytes.length !== entry.size || crc32(bytes) !== entry.checksum) {
    throw broken(place, 'its bytes are not those that the archive was made of')
  }
  return bytes.toString('utf8')
}

async function unpacked(packed: Buffer, method: number, place: string): Promise<Buffer> {
  const limit = { maxOutputLength: LARGEST_ENTRY }
  try {
    if (method === 0) return packed
    if (method === 8) return await inflated(packed, limit)
    if (method === 93) return await unzstd(packed, limit)
  } catch (cause) {
    throw broken(place, 'it cannot be unpacked', cause)
  }
  throw new FileError(`${place} must be stored, deflated or in Zstandard, got ZIP method ${method}`)
}

async function readAt(file: FileHandle, position: number, length: number, place: string): Promise<Buffer> {
  const { size } = await file.stat()
  if (position + length > size) throw broken(place, 'it ends too early')
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  if (bytesRead !== length) throw broken(place, 'it ends too early')
  return buffer
}

function broken(place: string, reason: string, cause?: unknown): FileError {
  return new FileError(`${place} must be a whole ZIP archive: ${reason}`, { cause })
}

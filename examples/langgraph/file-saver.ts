import { MemorySaver } from '@langchain/langgraph'

type Put = Parameters<MemorySaver['put']>
type PutWrites = Parameters<MemorySaver['putWrites']>

/** Saves checkpoints in one file, for this example. A service uses the saver of its database (PostgreSQL, SQLite, Redis). */
export class FileSaver extends MemorySaver {
  readonly #store: (state: string) => void

  constructor(stored: string | null, store: (state: string) => void) {
    super()
    this.#store = store
    if (stored === null) return
    const { storage, writes } = JSON.parse(stored, revive)
    this.storage = storage
    this.writes = writes
  }

  override async put(...args: Put): ReturnType<MemorySaver['put']> {
    const config = await super.put(...args)
    this.#save()
    return config
  }

  override async putWrites(...args: PutWrites): Promise<void> {
    await super.putWrites(...args)
    this.#save()
  }

  #save(): void {
    this.#store(JSON.stringify({ storage: this.storage, writes: this.writes }, replace))
  }
}

/** Checkpoints are bytes, which JSON cannot represent. */
function replace(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

function revive(_: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string'
  return isBytes ? new Uint8Array(Buffer.from(String(value.base64), 'base64')) : value
}

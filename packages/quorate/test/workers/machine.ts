import { availableParallelism, totalmem } from 'node:os'
import pg from 'pg'

/** Where and when something was measured, without the name of the machine. */
export async function machineText(url: string, today: Date): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  const postgres = String(rows[0]?.server_version).split(' ')[0]
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`
  return (
    `Measured on ${today.toISOString().slice(0, 10)}: ${availableParallelism()} cores, ${memory}, ` +
    `Node ${process.versions.node}, PostgreSQL ${postgres}, everything on one machine.`
  )
}

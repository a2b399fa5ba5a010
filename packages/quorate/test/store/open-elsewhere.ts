import { spawn } from 'node:child_process'

/** Another process that has the SQLite file open and does nothing with it. */
export async function openElsewhere(file: string) {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(process.argv[1])
    database.prepare('select count(*) from sqlite_master').get()
    process.stdout.write('open')
    setInterval(() => database.isOpen, 1000)`
  const child = spawn(process.execPath, ['-e', script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  await Promise.race([new Promise((open) => child.stdout.once('data', open)), ended])
  return {
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

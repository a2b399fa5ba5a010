/** Loaded before the command line: kills the process at the step of a backup that BACKUP_KILL_AT names. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'

const step = process.env['BACKUP_KILL_AT']

function killAt(name: string): void {
  if (step === name) process.kill(process.pid, 'SIGKILL')
}

const { fsyncSync, renameSync } = fs
const { prepare } = DatabaseSync.prototype

DatabaseSync.prototype.prepare = function prepareOrDie(this: DatabaseSync, sql: string) {
  if (sql.startsWith('vacuum into')) killAt('before-copy')
  return prepare.call(this, sql)
}
fs.fsyncSync = (descriptor) => {
  killAt('before-sync')
  // Waits for ever, so that a kill from outside cannot come too late.
  if (step === 'in-copy') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  fsyncSync(descriptor)
}
fs.renameSync = (from, to) => {
  killAt('before-rename')
  renameSync(from, to)
  killAt('after-rename')
}
syncBuiltinESMExports()

import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../store/temporary-folder.ts'

export interface SmallDisk {
  readonly folder: string
  /** Fills the disk except for this many bytes. */
  fill(leaving: number): void
  free(): void
  setWritable(isWritable: boolean): void
}

const SIZE = 64 * 2 ** 20

/** A disk in memory, removed after the test; null if this process may not mount one. */
export function mountSmallDisk(): SmallDisk | null {
  const folder = temporaryFolder()
  try {
    mount('-t', 'tmpfs', '-o', `size=${SIZE}`, 'quorate-chaos', folder)
  } catch {
    return null
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder], { stdio: 'pipe' }))
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill(leaving) {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - leaving))
    },
    free: () => rmSync(ballast),
    setWritable: (isWritable) => mount('-o', `remount,${isWritable ? 'rw' : 'ro'}`, folder),
  }
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}

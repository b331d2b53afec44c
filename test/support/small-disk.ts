import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'

/** A small file system of its own. Undefined if this machine does not allow it. */
export function mountSmallDisk(owner: { uid: number; gid: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder])
  const release = () => {
    spawnSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true, force: true })
  }
  if (mounted.status !== 0) {
    console.warn(`skipped: a file system cannot be mounted here: ${mounted.stderr}`)
    release()
    return undefined
  }
  const data = join(folder, 'data')
  mkdirSync(data)
  chownSync(data, owner.uid, owner.gid)
  const filler = join(folder, 'filler')
  return {
    data,
    /** Until no byte is left. */
    fill() {
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'])
      expect(() => writeFileSync(join(folder, 'one-more'), Buffer.alloc(1024 * 1024))).toThrow('ENOSPC')
      rmSync(join(folder, 'one-more'), { force: true })
      spawnSync('dd', ['if=/dev/zero', `of=${filler}-2`, 'bs=4k'])
    },
    clear() {
      for (const file of [filler, `${filler}-2`]) rmSync(file, { force: true })
    },
    release,
  }
}

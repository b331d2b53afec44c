import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'

/** The Node.js of this machine, if it is too old for Souk. npm puts that of this project first on the PATH. */
export function findOlderNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const candidates = ['/usr/bin/node', ...folders.map((folder) => join(folder, 'node'))]
  return candidates.find((path) => isOlder(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout))
}

function isOlder(version: string | null): boolean {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(version ?? '') ?? []
  return major !== undefined && (Number(major) < 22 || (Number(major) === 22 && Number(minor) < 18))
}

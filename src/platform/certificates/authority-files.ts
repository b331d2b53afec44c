import { chmodSync, linkSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'

const OWNER_ONLY_FOLDER = 0o700
const OWNER_ONLY_FILE = 0o600
const OTHERS = 0o077

export interface AuthorityFiles {
  /** The private key. It is never copied or sent. */
  key: string
  /** The certificate, for clients. */
  certificate: string
  /** The certificate and those of public authorities, for clients whose setting replaces all others. */
  bundle: string
}

/** Something about the files of the authority that the user must repair. */
export class AuthorityFilesError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AuthorityFilesError'
  }
}

/** Creates the folder of the authority, or checks that others cannot read it. */
export function prepareAuthorityFolder(folder: string, warn: (message: string) => void): AuthorityFiles {
  const files = {
    key: join(folder, 'ca-key.pem'),
    certificate: join(folder, 'ca.pem'),
    bundle: join(folder, 'ca-bundle.pem'),
  }
  const exists = statSync(folder, { throwIfNoEntry: false }) !== undefined
  makeFolder(folder)
  if (exists) restrict(folder, OWNER_ONLY_FOLDER, warn)
  else chmodSync(folder, OWNER_ONLY_FOLDER)
  if (statSync(files.key, { throwIfNoEntry: false })) restrict(files.key, OWNER_ONLY_FILE, warn)
  // The data folder is often inside a repository.
  writeIfMissing(join(folder, '.gitignore'), '*\n')
  return files
}

/** Returns the content of a file, or undefined if there is none. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a file for its owner only, whole or not at all. Returns false if another process was faster. */
export function createOnce(path: string, content: string): boolean {
  return withTemporaryFile(path, content, (temporary) => {
    try {
      linkSync(temporary, path)
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') return false
      // A file system without hard links.
      if (code !== 'EPERM' && code !== 'ENOSYS' && code !== 'ENOTSUP') throw error
      renameSync(temporary, path)
      return true
    }
  })
}

/** Replaces a file, whole or not at all, unless it has this content. */
export function replaceFile(path: string, content: string): void {
  if (readIfPresent(path) === content) return
  withTemporaryFile(path, content, (temporary) => renameSync(temporary, path))
}

/** In a folder of its own: a name with the process id would not be unique between containers. */
function withTemporaryFile<Result>(path: string, content: string, use: (temporary: string) => Result): Result {
  const folder = mkdtempSync(join(dirname(path), '.new-'))
  try {
    const temporary = join(folder, basename(path))
    writeFileSync(temporary, content, { mode: OWNER_ONLY_FILE })
    return use(temporary)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeIfMissing(path: string, content: string): void {
  if (!statSync(path, { throwIfNoEntry: false })) writeFileSync(path, content)
}

/** Windows has no such permissions: its folders of a user are closed to other users. */
function restrict(path: string, mode: number, warn: (message: string) => void): void {
  if (process.platform === 'win32') return
  const found = statSync(path).mode & 0o777
  if ((found & OTHERS) === 0) return
  try {
    chmodSync(path, mode)
  } catch (cause) {
    const message = `Other users can access ${path}, and its permissions cannot be changed: run chmod ${mode.toString(8)} as its owner.`
    throw new AuthorityFilesError(message, { cause })
  }
  warn(
    `Other users could access ${path} (mode ${found.toString(8)}). It is now ${mode.toString(8)}. ` +
      'If one of them may have read the key, delete the folder, and remove the certificate from trust stores.',
  )
}

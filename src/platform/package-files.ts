import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

// Looked up, because this file has another depth after the build.
const root = dirname(findPackageJSON('.', import.meta.url) as string)

/** The absolute path of a file or folder of this package. */
export const packageFile = (path: string): string => join(root, path)

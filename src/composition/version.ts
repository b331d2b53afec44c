import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

// Looked up, because this file has another depth after the build.
const packageJson = findPackageJSON('.', import.meta.url) as string

export const version: string = JSON.parse(readFileSync(packageJson, 'utf8')).version

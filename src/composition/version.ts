import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

// Asked for, not spelt out: after the build this file lies at another depth.
const packageJson = findPackageJSON('.', import.meta.url) as string

export const version: string = JSON.parse(readFileSync(packageJson, 'utf8')).version

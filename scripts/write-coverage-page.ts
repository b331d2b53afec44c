// Writes docs/coverage.md. A test fails when it is not up to date.
import { writeFileSync } from 'node:fs'
import { coveragePage } from './coverage-page.ts'

writeFileSync(new URL('../docs/coverage.md', import.meta.url), coveragePage())

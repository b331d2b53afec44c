// Builds src/ into dist/: types by tsc, code by rolldown.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { bundle } from './bundle.ts'

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit', shell: process.platform === 'win32' })
await bundle('dist')

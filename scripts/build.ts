// Builds src/ into dist/: code by rolldown, the types of the package by tsc, the documentation, and the console.
import { rmSync } from 'node:fs'
import { buildConsole } from '../console/scripts/build.ts'
import { bundle } from './bundle.ts'
import { writeSite } from './site/write-site.ts'
import { writeNotices } from './write-notices.ts'
import { writeTypes } from './write-types.ts'

rmSync('dist', { recursive: true, force: true })
const bundled = await bundle('dist')
const docs = await writeSite('dist/docs')
writeNotices([...bundled, ...docs.bundled], 'dist/THIRD-PARTY-NOTICES.txt')
writeTypes(['index', 'redirect/index', 'vitest/index'], 'dist')
await buildConsole()

// Builds src/ into dist/: code by rolldown, the types of the package by tsc, and the documentation.
import { rmSync } from 'node:fs'
import { bundle } from './bundle.ts'
import { writeSite } from './site/write-site.ts'
import { writeNotices } from './write-notices.ts'
import { writeTypes } from './write-types.ts'

rmSync('dist', { recursive: true, force: true })
const bundled = await bundle('dist')
const docs = await writeSite('dist/docs')
writeNotices([...bundled, ...docs.bundled], 'dist/THIRD-PARTY-NOTICES.txt')
writeTypes(['index', 'redirect/index', 'vitest/index'], 'dist')

// Builds src/ into dist/: code by rolldown, the types of the package by tsc.
import { rmSync } from 'node:fs'
import { bundle } from './bundle.ts'
import { writeNotices } from './write-notices.ts'
import { writeTypes } from './write-types.ts'

rmSync('dist', { recursive: true, force: true })
writeNotices(await bundle('dist'), 'dist/THIRD-PARTY-NOTICES.txt')
writeTypes(['index', 'redirect/index'], 'dist')

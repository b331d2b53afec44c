import './require-node.js'

export * from '../dist/vitest/index.js'

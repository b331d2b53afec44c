import './require-node.js'

export * from '../dist/index.js'

import { runCommandLine } from './command-line.ts'
import { keepTickShape } from './keep-tick-shape.ts'

keepTickShape()
await runCommandLine()

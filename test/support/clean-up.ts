// A setup file of Vitest, which runs it before each test file.
import { cleanUpAfterFile } from './after-file.ts'

cleanUpAfterFile()

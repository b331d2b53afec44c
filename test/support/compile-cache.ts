import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The value of this variable for processes and threads: all of them compile the same files. With a cache, processes start
 * in two thirds of the time, and those that run the sources in half of it.
 */
export const NODE_COMPILE_CACHE = join(tmpdir(), 'souk-test-compile-cache')

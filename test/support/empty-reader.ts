import type { Reader } from '../../src/platform/database/port.ts'

/** Reads a database without rows. */
export const emptyReader: Reader = { dialect: 'sqlite', all: async () => [], first: async () => undefined }

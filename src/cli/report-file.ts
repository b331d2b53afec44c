import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { UserError } from './user-error.ts'

/** Parses the path of a file to be written, possibly an hour later: that it cannot be written is known at once. */
export function reportFile(path: string): string {
  try {
    const file = statSync(path, { throwIfNoEntry: false })
    if (file?.isDirectory()) throw new Error(`${path} is a folder`)
    if (!file && !statSync(dirname(path)).isDirectory()) throw new Error(`${dirname(path)} is not a folder`)
    accessSync(file ? path : dirname(path), constants.W_OK)
    return path
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be written: ${(error as Error).message}.`)
  }
}

export function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UserError(`cannot write the report: ${(error as Error).message}`)
  }
}

import { afterAll } from 'vitest'

type CleanUp = () => unknown

const cleanUps: CleanUp[] = []
let isSetUp = false

/**
 * Runs a function after the tests of the file, the last one first. Vitest ignores an `afterAll` that is called while tests
 * run, and files share a process: what they do not stop runs beside all later ones.
 */
export function afterFile(cleanUp: CleanUp): void {
  if (!isSetUp) throw new Error('Add test/support/clean-up.ts to the setupFiles of this project')
  cleanUps.push(cleanUp)
}

/** Once for each file, before its tests are collected. */
export function cleanUpAfterFile(): void {
  isSetUp = true
  afterAll(async () => {
    const errors: unknown[] = []
    for (let cleanUp = cleanUps.pop(); cleanUp; cleanUp = cleanUps.pop()) {
      try {
        await cleanUp()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'))
  })
}

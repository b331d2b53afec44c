import { expect, test } from 'vitest'
import { errorStatus } from '../../src/platform/errors/api-error.ts'
import { oauthErrorStatus } from '../../src/platform/errors/oauth-error.ts'
import { storageErrorStatus } from '../../src/platform/errors/storage-error.ts'
import { documentedRows } from './documented-rows.ts'

test('docs/errors.md has a row for every error code with its status, and no other rows', () => {
  const documented = documentedRows('errors.md').map(([code, status]) => `${code} ${status}`)
  const tables = [errorStatus, oauthErrorStatus, storageErrorStatus]
  const existing = tables.flatMap((table) => Object.entries(table)).map(([code, status]) => `${code} ${status}`)
  expect(documented.sort()).toEqual(existing.sort())
})

test('docs/errors.md has a cause and a fix for every error', () => {
  const unexplained = documentedRows('errors.md').filter(([, , when, remedy]) => !when || !remedy)
  expect(unexplained).toEqual([])
})

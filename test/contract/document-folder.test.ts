import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requireDocumentFolder } from '../../src/composition/document-folder.ts'
import { databaseKinds } from '../support/databases.ts'
import { createJobFixture, type JobFixture } from '../support/jobs.ts'
import { temporaryFolder } from '../support/souk-process.ts'

describe.each(Object.entries(databaseKinds))('the folder of the documents, with %s', (_kind, open) => {
  let fixture: JobFixture
  let folder: string
  beforeEach(async () => {
    fixture = await createJobFixture(open)
    folder = join(temporaryFolder(), 'documents')
  })
  afterEach(() => fixture.close())
  const start = () => requireDocumentFolder(folder, fixture.database, fixture.clock)

  test('is created and marked by the first start', async () => {
    await start()
    expect(readdirSync(folder)).toEqual(['.souk-documents'])
    await start()
  })

  test('that was marked before is known from then on', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, '.souk-documents'), '')
    await start()
    rmSync(folder, { recursive: true })
    await expect(start()).rejects.toThrow('is its volume mounted?')
  })

  test.each(['missing', 'empty'])('prevents a later start while it is %s, until it is marked again', async (state) => {
    await start()
    rmSync(folder, { recursive: true })
    if (state === 'empty') mkdirSync(folder)
    await expect(start()).rejects.toThrow('is its volume mounted?')
    mkdirSync(folder, { recursive: true })
    expect(readdirSync(folder)).toEqual([])
    writeFileSync(join(folder, '.souk-documents'), '')
    await start()
  })
})

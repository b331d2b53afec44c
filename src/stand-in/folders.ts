import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RandomIds } from '../platform/ids/random-ids.ts'
import type { StandInOptions } from './options.ts'

export interface Folders {
  documentsFolder: string
  eventBusFile: string
  snapshotsFolder: string
  /** Removes the temporary ones. */
  removeTemporary(): void
}

/** The folders that were chosen, and temporary ones instead of the others. */
export function chooseFolders({ documents, eventBus, snapshots }: StandInOptions): Folders {
  const documentsFolder = documents ?? temporaryFolder('documents')
  const snapshotsFolder = snapshots ?? temporaryFolder('snapshots')
  return {
    documentsFolder,
    eventBusFile: eventBus ?? join(documentsFolder, 'event-bus.jsonl'),
    snapshotsFolder,
    removeTemporary() {
      if (documents === undefined) rmSync(documentsFolder, { recursive: true, force: true })
      if (snapshots === undefined) rmSync(snapshotsFolder, { recursive: true, force: true })
    },
  }
}

/** Random, also where other ids are not: other marketplaces of this machine, and forks, must not have the same name. */
const temporaryFolder = (purpose: string) => join(tmpdir(), `souk-${purpose}-${new RandomIds().next('upload')}`)

import { ConfigError } from '../config/config.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import { isMarked, markerOf, markFolder } from '../platform/documents/folder-marker.ts'
import { loadSetting, storeSetting } from '../platform/settings/store.ts'

/**
 * Marks the folder of the documents at the first start. Later, a folder without the marker is the place of a volume
 * that is not mounted, or the folder of another machine: all documents would seem missing, and new ones would be lost
 * to other processes.
 */
export async function requireDocumentFolder(folder: string, database: Database, clock: Clock): Promise<void> {
  const isKnown = await database.read((reader) => loadSetting(reader, 'documentFolderMarkedAt'))
  const hasMarker = await isMarked(folder)
  if (hasMarker && isKnown) return
  if (isKnown) {
    throw new ConfigError(
      `The folder ${folder} in SOUK_DOCUMENTS_URL is not the one with the documents: is its volume mounted? To use it all the same, create the file ${markerOf(folder)}.`,
    )
  }
  // The database may be a new one, or a backup.
  if (!hasMarker) await markFolder(folder)
  await database.transact((tx) => storeSetting(tx, 'documentFolderMarkedAt', clock.now().toISOString()))
}

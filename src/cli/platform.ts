import { openDatabase, openDocuments, openTracing } from '../composition/adapters.ts'
import { requireDocumentFolder } from '../composition/document-folder.ts'
import type { ServiceSettings } from '../config/env.ts'
import { listKubernetesLinks } from '../config/ignored-variables.ts'
import { migrations } from '../migrations/index.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { requireMigrated } from '../platform/database/migrate.ts'
import { measureDocumentStore } from '../platform/documents/measured-document-store.ts'
import { RandomIds } from '../platform/ids/random-ids.ts'
import { createLogger, flushLogger, type Logger } from '../platform/logging/logger.ts'

/** Says which variables were taken for Kubernetes's own and not for settings. */
export function logIgnoredVariables(logger: Logger): void {
  const variables = listKubernetesLinks(process.env)
  if (variables.length > 0) logger.info({ variables }, 'ignoring Kubernetes service variables')
}

/** What `serve` and `worker` run on: a database that is up to date, real time and random ids. */
export async function openPlatform(config: ServiceSettings, applicationName: string) {
  const logger = await createLogger(config.log)
  const clock = new SystemClock()
  const ids = new RandomIds()
  const tracing = config.tracing && (await openTracing(config.tracing, { ids, logger, name: applicationName }))
  const tracer = tracing?.tracer
  const database = await openDatabase({ ...config.database, applicationName }, logger, { tracer })
  const opened = await prepare().catch(async (error: unknown) => {
    await database.close()
    throw error
  })
  async function prepare() {
    const newer = await requireMigrated(database, migrations)
    if (newer.length > 0) logger.info({ migrations: newer }, 'the database is of a newer version')
    if (config.documents.kind === 'file') await requireDocumentFolder(config.documents.folder, database, clock)
    const { publicUrl, signing } = config
    return openDocuments(config.documents, { publicUrl: () => publicUrl, signing, clock, ids, isFolderMarked: true })
  }
  const measured = measureDocumentStore(opened.store)
  return {
    database,
    clock,
    ids,
    logger,
    documents: { ...opened, store: measured.store },
    tracer,
    metrics: [...measured.metrics, ...(tracing?.metrics ?? [])],
    async close() {
      opened.store.close?.()
      await database.close()
      await tracing?.close()
      await flushLogger(logger)
    },
  }
}

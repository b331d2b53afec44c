import { defaultPolicy } from './config/config.ts'
import { operatorKey, signingMasterSecret } from './dev/demo/index.ts'
import { SystemClock } from './platform/clock/system-clock.ts'
import { RandomIds } from './platform/ids/random-ids.ts'
import { createLogger } from './platform/logging/logger.ts'
import { createService, migrateDatabase, openDatabase } from './service.ts'

/** The OpenAPI document of everything that Souk serves, made from the routes themselves. */
export async function openApiDocument(): Promise<string> {
  const clock = new SystemClock()
  const database = await openDatabase({ kind: 'sqlite', path: ':memory:' })
  await migrateDatabase(database, clock)
  const service = await createService(
    {
      operatorKey,
      rates: 'documented',
      signing: { required: false, masterSecret: signingMasterSecret },
      solicitations: defaultPolicy,
    },
    { database, clock, ids: new RandomIds(), logger: await createLogger({ level: 'silent', pretty: false }) },
    { standIn: { demo: false } },
  )
  await service.app.ready()
  const document = service.app.swagger()
  await service.stop()
  await database.close()
  return `${JSON.stringify(document, null, 2)}\n`
}

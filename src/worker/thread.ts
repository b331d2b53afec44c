// Runs in the thread that ThreadBackground starts.
import { parentPort, workerData } from 'node:worker_threads'
import { releaseNotificationLeases } from '../areas/notifications/index.ts'
import { FaultRules } from '../dev/faults/index.ts'
import { Sealer } from '../platform/auth/sealer.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { SqliteDatabase } from '../platform/database/sqlite-database.ts'
import { FileDocumentStore } from '../platform/documents/file-document-store.ts'
import { RandomIds } from '../platform/ids/random-ids.ts'
import { releaseAllJobs } from '../platform/jobs/store.ts'
import { createLogger, flushLogger } from '../platform/logging/logger.ts'
import { startBackground } from './in-process-background.ts'
import { createStandInMessenger } from './stand-in-messenger.ts'
import type { FromThread, ThreadData, ToThread } from './thread-background.ts'

const { databasePath, documentsFolder, messaging, signing, clockPosition, log, options, faults } =
  workerData as ThreadData

const clock = new SystemClock(clockPosition)
const ids = new RandomIds()
const logger = await createLogger(log)
const database = new SqliteDatabase(databasePath, { mapped: false, logger })
const documents = new FileDocumentStore({
  folder: documentsFolder,
  clock,
  ids,
  // A worker only writes; the service signs URLs.
  publicUrl: () => '',
  signingSecret: '',
})

// One stand-in at a time uses a data folder, so the holders of these leases no longer exist.
await database.transact(async (tx) => {
  await releaseAllJobs(tx, clock.now())
  await releaseNotificationLeases(tx, clock.now())
})
const post = (message: FromThread) => parentPort?.postMessage(message)
const messenger = createStandInMessenger(messaging, {
  database,
  clock,
  ids,
  notifyQueue: (sentTo) => post({ sentTo }),
})
const sealer = new Sealer(signing)
const rules = new FaultRules(clock)
rules.load(faults.rules, faults.held)
rules.onCount((counted) => post({ counted }))
rules.onHold((held) => post({ held }))
rules.onLetGo((letGo) => post({ letGo }))
const runner = startBackground({ database, clock, ids, logger, documents, messenger, sealer }, options, {
  isStandIn: true,
  faults: rules,
})

parentPort?.on('message', async (message: ToThread) => {
  if (message === 'wake') return runner.wake()
  if (message === 'stop') return stop()
  if ('clockPosition' in message) {
    clock.position = message.clockPosition
    return
  }
  if ('faultRules' in message) rules.load(message.faultRules)
  else await runner.idle()
  post({ repliedTo: message.question })
})

async function stop(): Promise<void> {
  await runner.stop()
  await database.close()
  await flushLogger(logger)
  parentPort?.close()
}

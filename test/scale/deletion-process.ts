// Deletes a subscription with all that waits for it. Arguments: the kind and the URL or path of a database, and the
// application, the seller, the type and the id of the subscription. Reports its transactions.
import { createSubscriptionOperations } from '../../src/areas/notifications/subscriptions/subscription-operations.ts'
import { openDatabase } from '../../src/composition/adapters.ts'
import { SystemClock } from '../../src/platform/clock/system-clock.ts'
import { SequentialIds } from '../../src/platform/ids/sequential-ids.ts'
import { watchTransactions } from './watched-transactions.ts'

const [kind, location = '', applicationId = '', sellerId = '', type = '', subscriptionId = ''] = process.argv.slice(2)
const database = await openDatabase(
  kind === 'postgres' ? { kind: 'postgres', url: location, poolSize: 4 } : { kind: 'sqlite', path: location },
)
const watched = watchTransactions(database)
const dependencies = { clock: new SystemClock(), ids: new SequentialIds(), wakeWorker: () => {} }
const subscriptions = createSubscriptionOperations({ ...dependencies, database: watched.database })

process.send?.('started')
await subscriptions.deleteSubscriptionById({ kind: 'seller', applicationId, sellerId }, type, subscriptionId)
process.send?.(watched.figures())
await database.close()
process.disconnect?.()

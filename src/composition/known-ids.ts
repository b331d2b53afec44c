import {
  listFeedIds,
  listResultDocumentIds,
  listUnusedDocumentIds,
  UNUSED_DOCUMENT_DAYS,
} from '../areas/feeds/index.ts'
import { listSkus } from '../areas/listings/index.ts'
import { listDestinations, listSubscriptionIds } from '../areas/notifications/index.ts'
import { listReportDocumentIds, listReportIds, listScheduleIds } from '../areas/reports/index.ts'
import { daysBefore } from '../document-requests/status.ts'
import { listCatalogItems } from '../marketplace/catalog/store.ts'
import { ProductTypes } from '../marketplace/product-types/index.ts'
import { listOrderIds } from '../marketplace/trade/orders.ts'
import type { Caller } from '../platform/auth/caller.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database, Reader } from '../platform/database/port.ts'
import type { Missing } from '../platform/errors/explanation.ts'

const MAX_IDS = 500
/** What is meant usually begins like what was sent. */
const PREFIX_LENGTH = 4

/** Lists ids like one that does not exist, of what the caller may see. */
type ListKnownIds = (caller: Caller, missing: Missing) => Promise<string[]>

export const createKnownIds =
  ({ database, clock }: { database: Database; clock: Clock }): ListKnownIds =>
  (caller, missing) =>
    database.read(async (reader) => {
      if (missing.kind === 'destinationId') {
        return (await listDestinations(reader, caller.applicationId)).map((one) => one.destinationId)
      }
      if (missing.kind === 'subscriptionId') {
        const { applicationId } = caller
        const notificationType = missing.notificationType ?? ''
        const subject = { notificationType, limit: MAX_IDS, ...(!caller.isConsole && { applicationId }) }
        return listSubscriptionIds(
          reader,
          caller.kind === 'seller' ? { ...subject, sellerId: caller.sellerId } : subject,
        )
      }
      if (caller.kind === 'seller' && missing.kind === 'inputFeedDocumentId') {
        const createdSince = daysBefore(clock.now(), UNUSED_DOCUMENT_DAYS)
        return listUnusedDocumentIds(reader, caller, { createdSince, limit: MAX_IDS })
      }
      return caller.kind === 'seller' ? listOfSeller(reader, caller.sellerId, missing) : []
    })

async function listOfSeller(reader: Reader, sellerId: string, missing: Missing): Promise<string[]> {
  const { kind, id, marketplaceIds } = missing
  const options = { limit: MAX_IDS, ...(marketplaceIds && { marketplaceIds }) }
  const list = kind === 'sku' ? listSkus : listOrderIds
  switch (kind) {
    case 'sku':
    case 'orderId': {
      const similar = await list(reader, sellerId, { ...options, from: id.slice(0, PREFIX_LENGTH) })
      return similar.length > 0 ? similar : list(reader, sellerId, { ...options, from: '' })
    }
    case 'reportId':
      return listReportIds(reader, sellerId, MAX_IDS)
    case 'reportScheduleId':
      return listScheduleIds(reader, sellerId, MAX_IDS)
    case 'reportDocumentId':
      return listReportDocumentIds(reader, sellerId, MAX_IDS)
    case 'feedDocumentId':
      return listResultDocumentIds(reader, sellerId, MAX_IDS)
    case 'feedId':
      return listFeedIds(reader, sellerId, MAX_IDS)
    case 'productType':
      return (await new ProductTypes().list(reader)).map(({ name }) => name)
    default:
      return (await listCatalogItems(reader, { limit: MAX_IDS }))
        .filter(({ marketplaceId }) => marketplaceIds?.includes(marketplaceId) ?? true)
        .map(({ asin }) => asin)
  }
}

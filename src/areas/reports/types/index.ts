import { feedback } from './feedback.ts'
import { activeListings, allListings, inactiveListings, openListings } from './listings.ts'
import { ordersByLastUpdate, ordersByOrderDate } from './orders-flat-file.ts'
import { ordersToShip } from './orders-to-ship.ts'
import { ordersXml } from './orders-xml.ts'
import { performance } from './performance.ts'
import type { ReportType } from './report-type.ts'
import { returnsFlatFile } from './returns-flat-file.ts'
import { returnsXml } from './returns-xml.ts'

export type { ReportType } from './report-type.ts'

/** All supported report types. docs/reports.md has a row for each. */
export const reportTypes: ReadonlyMap<string, ReportType> = new Map(
  [
    returnsXml,
    returnsFlatFile,
    allListings,
    activeListings,
    inactiveListings,
    openListings,
    ordersByOrderDate,
    ordersByLastUpdate,
    ordersXml,
    ordersToShip,
    feedback,
    performance,
  ].map((type) => [type.name, type]),
)

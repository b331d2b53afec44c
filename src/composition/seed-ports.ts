import { seedWarnings } from '../areas/applications/index.ts'
import {
  describeListing,
  isIssueKind,
  issuesByDefault,
  listListingSeeds,
  seedListings,
} from '../areas/listings/index.ts'
import { notificationSeeds } from '../areas/notifications/index.ts'
import { listSolicitations, recordSolicitations } from '../areas/solicitations/index.ts'
import type { SeedPorts, SeedRules } from '../dev/seed/ports.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Areas } from './areas.ts'

type Listing = Parameters<typeof issuesByDefault>[0]

/** The rules by which the stand-in reads a seed, before there is a service. */
export const seedRules: SeedRules = {
  describeListing,
  // The kinds of its issues were checked.
  issuesByDefault: (listing, now) => issuesByDefault(listing as Listing, now),
  isIssueKind,
  findSubscriptionViolation: notificationSeeds.findViolation,
}

export function createSeedPorts({
  areas: { catalog, offers },
  jobs,
  delayMilliseconds,
  prepareQueues,
}: {
  areas: Areas
  jobs: JobQueue
  delayMilliseconds: number
  prepareQueues(): Promise<void>
}): SeedPorts {
  return {
    rules: seedRules,
    applications: { planWarnings: (tx, applications, now) => seedWarnings(tx, jobs, applications, now) },
    catalog,
    offers,
    listings: {
      write: (tx, listings, now) => seedListings(tx, { offers, jobs, delayMilliseconds }, listings as Listing[], now),
      list: listListingSeeds,
    },
    solicitations: { write: recordSolicitations, list: listSolicitations },
    notifications: notificationSeeds,
    prepareQueues,
  }
}

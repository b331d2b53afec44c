/** A plausible mistake, as changes of a file of `src/`. */
export interface PlantedBug {
  name: string
  file: string
  changes: readonly (readonly [search: string, replacement: string])[]
}

/** The simulation must find each of them: `npm run simulate -- --planted`. */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'a buyer can order one piece more than there is',
    file: 'areas/listings/submission/stock.ts',
    changes: [
      ['if (pieces > quantity) shortages', 'if (pieces > quantity + 1) shortages'],
      ['if (pieces > quantity ||', 'if (pieces > quantity + 1 ||'],
    ],
  },
  {
    name: 'a canceled order fills the stock of a newer listing',
    file: 'areas/listings/submission/stock.ts',
    changes: [['movement.stockId !== stockIdOf(listing)', 'false']],
  },
  {
    name: 'a patch is computed from a listing that was read before the transaction',
    file: 'areas/listings/submission/operations.ts',
    changes: [
      [
        'const { result, prepared } = await database.transact(async (tx) => {\n      const prepared = await prepare(tx, input, (target) => loadBatchToChange(tx, target, relations))',
        'void relations\n    const prepared = await database.read((reader) => prepare(reader, input, (target) => loadBatch(reader, target)))\n    const { result } = await database.transact(async (tx) => {',
      ],
    ],
  },
  {
    name: 'two review requests at once are both recorded',
    file: 'areas/solicitations/operations.ts',
    changes: [
      [
        'return database.transact(async (tx) => {\n      const order = await requireOrder(tx, caller, orderId, marketplaceId)',
        'return database.read((reader) => requireOrder(reader, caller, orderId, marketplaceId)).then((order) => database.transact(async (tx) => {',
      ],
      [
        "if (!recorded) throw notAvailable('alreadySent', order, now)\n    }, ONCE_PER_ORDER)",
        'void recorded\n    }))',
      ],
    ],
  },
  {
    name: 'a feed starts again at its first message after a crash',
    file: 'areas/feeds/apply-plan.ts',
    changes: [['let step = start(feed.progress)', 'let step = start({ ...feed.progress, applied: 0 })']],
  },
  {
    name: 'notifications of a failed request count as sent',
    file: 'areas/notifications/delivery/sending.ts',
    changes: [['result.failed.push(...deliveries)\n', 'result.sent.push(...deliveries)\n']],
  },
  {
    name: 'notifications are sent in the order of their ids',
    file: 'areas/notifications/delivery/due-deliveries.ts',
    changes: [[".orderBy('due_at')\n    .orderBy('event_id')\n    .orderBy('delivery_id')", ".orderBy('delivery_id')"]],
  },
  {
    name: 'an order of any seller is found',
    file: 'marketplace/trade/orders.ts',
    changes: [
      [
        "db.selectFrom('orders').where('orders.seller_id', '=', sellerId).where('orders.order_id'",
        "db.selectFrom('orders').where('orders.order_id'",
      ],
    ],
  },
  {
    name: 'a feed that is being processed can be canceled',
    file: 'areas/feeds/operations.ts',
    changes: [["if (feed.status !== 'IN_QUEUE' || applied > 0)", "if (feed.status === 'DONE')"]],
  },
  {
    name: 'the end of a feed is announced twice',
    file: 'areas/feeds/jobs.ts',
    changes: [
      [
        "const status = result.feedError ? 'FATAL' : 'DONE'",
        "const status = result.feedError ? 'FATAL' : 'DONE'\n      await context.checkpoint((tx) => finishFeed(tx, dependencies, processed, status, { hasResult: true }))",
      ],
    ],
  },
  {
    name: 'an order is shipped as it was read before the transaction',
    file: 'areas/orders/v0/write-operations.ts',
    changes: [
      [
        'await database.transact(async (tx) => {\n        const { order, now } = await requireOrderToChange(tx, caller, orderId, clock)',
        'const now = clock.now()\n      const order = await database.read((reader) => requireOrder(reader, caller, orderId, now))\n      await database.transact(async (tx) => {',
      ],
    ],
  },
  {
    name: 'a worker that lost its lease still writes',
    file: 'platform/jobs/job-runner.ts',
    changes: [
      [
        'if (!(await renewLease(tx, id, lease, this.#leaseEnd()))) throw new LeaseLostError()',
        'await renewLease(tx, id, lease, this.#leaseEnd())',
      ],
      ['if (!(await removeJob(tx, id, lease))) throw new LeaseLostError()', 'await removeJob(tx, id, lease)'],
    ],
  },
  {
    name: 'jobs of a crashed worker are not claimed again',
    file: 'platform/jobs/store.ts',
    changes: [
      ["    .where('job_id', 'in', found)\n", "    .where('job_id', 'in', found)\n    .where('lease', 'is', null)\n"],
    ],
  },
]

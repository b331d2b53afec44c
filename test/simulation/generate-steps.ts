import { seededRandom } from '../support/random-expressions.ts'
import {
  ATTACKS,
  type ClientAction,
  type ListingChange,
  NOTIFICATION_TYPES,
  REPORT_TYPES,
  type SimulatedType,
  SKUS_PER_SELLER,
  type Step,
  type WorldAction,
} from './steps.ts'

type Action = ClientAction | WorldAction

const SELLERS = 3
const INSTANCES = 2
/** Enough for a request to end. */
const OPENING_PAUSE = 40
const CHANGES = ['put', 'setQuantity', 'setPrice', 'delete'] as const
// Short ones meet polls and backoffs, the others leases, tokens and sweeps.
const MOVES_MILLISECONDS = [50, 600, 1_000, 5_000, 31_000, 31_000, 120_000, 700_000, 3_700_000]

/**
 * The steps of a seed. Each seed has its own kind of traffic: most of it is about one listing, and some actions are
 * frequent or missing. Seeds that mix everything evenly rarely get deep into anything.
 */
export function generateSteps(seed: number, count: number): Step[] {
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item
  const hot = { seller: below(SELLERS), sku: below(SKUS_PER_SELLER), share: pick([0.5, 0.8, 0.95]) }
  const seller = () => (random() < hot.share ? hot.seller : below(SELLERS))
  const sku = () => (random() < hot.share ? hot.sku : below(SKUS_PER_SELLER))
  const price = () => 10 + below(90)
  const type = () => pick(Object.keys(NOTIFICATION_TYPES) as SimulatedType[])
  const changes = CHANGES.flatMap((change) => Array<typeof change>(change === 'put' ? 3 : below(4)).fill(change))
  const newChange = (): ListingChange => {
    const change = pick(changes)
    if (change === 'put') return { change, price: price(), quantity: below(7) }
    if (change === 'setQuantity') return { change, quantity: below(7) }
    return change === 'setPrice' ? { change, price: price() } : { change }
  }

  /** Steps that made something, with the seller whose it is. */
  const made = { orders: [] as Made[], feeds: [] as Made[], reports: [] as Made[] }
  const make = (kind: keyof typeof made, id: number, of = seller()) => {
    made[kind].push({ seller: of, id })
    return of
  }
  const recent = (kind: keyof typeof made): Made =>
    made[kind].length > 0 ? pick(made[kind].slice(-5)) : { seller: hot.seller, id: 0 }

  const makers: Record<string, [weight: number, make: (id: number) => Action]> = {
    changeListing: [12, () => ({ do: 'changeListing', seller: seller(), sku: sku(), change: newChange() })],
    readListing: [8, () => ({ do: 'readListing', seller: seller(), sku: sku() })],
    order: [12, (id) => ({ do: 'order', seller: make('orders', id), sku: sku(), quantity: 1 + below(4) })],
    cancel: [6, () => ofOrder('cancel')],
    ship: [6, () => ({ ...ofOrder('cancel'), do: 'ship', quantity: 1 + below(3), packages: pick([1, 2]) })],
    afterSale: [3, () => ofOrder(pick(['deliver', 'return']))],
    readOrder: [4, () => ofOrder('readOrder')],
    solicit: [4, () => ({ do: 'solicit', order: pick([0, 0, 1, 2]) })],
    feed: [
      6,
      (id) => {
        const messages = Array.from({ length: 1 + below(4) }, () => ({ sku: sku(), change: newChange() }))
        return { do: 'feed', seller: make('feeds', id), messages }
      },
    ],
    shipByFeed: [
      2,
      (id) => {
        const of = make('feeds', id, recent('orders').seller)
        const own = made.orders.filter((order) => order.seller === of).map((order) => order.id)
        return { do: 'shipByFeed', seller: of, orders: own.slice(-2) }
      },
    ],
    readFeed: [3, () => ofFeed('readFeed')],
    cancelFeed: [2, () => ofFeed('cancelFeed')],
    report: [3, (id) => ({ do: 'report', seller: make('reports', id), type: pick(REPORT_TYPES) })],
    readReport: [2, () => ofReport('readReport')],
    cancelReport: [1, () => ofReport('cancelReport')],
    subscribe: [4, () => ({ do: 'subscribe', seller: seller(), type: type() })],
    unsubscribe: [1, () => ({ do: 'unsubscribe', seller: seller(), type: type() })],
    compete: [2, () => ({ do: 'compete', asin: below(2), price: price() })],
    readPrices: [2, () => ({ do: 'readPrices', seller: seller(), asin: below(2) })],
    attack: [
      4,
      () => ({
        do: 'attack',
        seller: (hot.seller + 1) % SELLERS,
        victim: hot.seller,
        attack: pick(ATTACKS),
        target: below(6),
      }),
    ],
    advance: [4, () => ({ do: 'advance', milliseconds: pick(MOVES_MILLISECONDS) })],
    crash: [6, newCrash],
    stall: [3, newStall],
    fault: [4, newFault],
  }
  function ofOrder(act: 'cancel' | 'deliver' | 'return' | 'readOrder') {
    const { seller: of, id } = recent('orders')
    return { do: act, seller: of, order: id }
  }
  function ofFeed(act: 'readFeed' | 'cancelFeed'): Action {
    const { seller: of, id } = recent('feeds')
    return { do: act, seller: of, feed: id }
  }
  function ofReport(act: 'readReport' | 'cancelReport'): Action {
    const { seller: of, id } = recent('reports')
    return { do: act, seller: of, report: id }
  }
  function newOccasion() {
    // Transactions are what matters most, and what an instance does while it holds a lease.
    const of = pick(['calls', 'transactions', 'callsAfterClaim', 'callsAfterClaim'] as const)
    return { of, calls: below({ calls: 25, transactions: 8, callsAfterClaim: 12 }[of]) }
  }
  function newCrash(): Extract<WorldAction, { do: 'crash' }> {
    return { do: 'crash', instance: below(INSTANCES), ...newOccasion(), moment: pick(['before', 'after'] as const) }
  }
  function newStall(): Extract<WorldAction, { do: 'stall' }> {
    // Longer than a lease, and long enough for the other instance to claim the work and end it.
    return { do: 'stall', instance: below(INSTANCES), ...newOccasion(), turns: 10 + below(90), milliseconds: 31_000 }
  }
  function newFault(): Action {
    const dependency = pick(['database', 'documents', 'messages'] as const)
    // A transaction that runs twice would be an error of the database, not of its users.
    const kind = dependency === 'database' ? pick(['fail', 'loseResponse'] as const) : pick(FAULT_KINDS)
    return { do: 'fault', dependency, kind, calls: 1 + below(3) }
  }

  /** Steps that belong together, about the listing of the seed. Single steps rarely meet like this. */
  const sequences: (() => Sequence)[] = [
    // What comes back of an order must not go to a listing that was created after it.
    () => {
      let order = 0
      return {
        pauses: [10, 30, 60],
        steps: [
          () => ({ do: 'changeListing', ...hot, change: { change: 'put', price: price(), quantity: 2 + below(5) } }),
          (id) => {
            order = id
            return { do: 'order', seller: make('orders', id, hot.seller), sku: hot.sku, quantity: 1 + below(2) }
          },
          () => ({ do: 'changeListing', ...hot, change: { change: 'delete' } }),
          () => ({ do: 'changeListing', ...hot, change: { change: 'put', price: price(), quantity: below(7) } }),
          () => ({ do: 'cancel', seller: hot.seller, order }),
          () => ({ do: 'readListing', ...hot }),
        ],
      }
    },
    // Two changes of different attributes at once.
    () => ({
      pauses: [0, 0, 1],
      steps: [
        () => ({ do: 'changeListing', ...hot, change: { change: 'setPrice', price: price() } }),
        () => ({ do: 'changeListing', ...hot, change: { change: 'setQuantity', quantity: below(7) } }),
      ],
    }),
    // A feed whose worker stands still or crashes after it has claimed the feed, whichever worker that is.
    () => ({
      pauses: [2, 5, 10],
      steps: [
        (id) => ({
          do: 'feed',
          seller: make('feeds', id, hot.seller),
          messages: [1, 2].map(() => ({ sku: hot.sku, change: newChange() })),
        }),
        ...Array.from({ length: INSTANCES }, (_, instance) => () => {
          const occasion = { of: 'callsAfterClaim' as const, calls: 1 + below(10) }
          return random() < 0.7 ? { ...newStall(), ...occasion, instance } : { ...newCrash(), ...occasion, instance }
        }),
        () => ({ do: 'changeListing', ...hot, change: newChange() }),
      ],
    }),
  ]
  const sequenceShare = pick([0.05, 0.1, 0.2])
  let sequence: Sequence = { steps: [], pauses: [] }
  const next = (id: number): { action: Action; pause: number } => {
    if (sequence.steps.length === 0 && random() < sequenceShare) sequence = pick(sequences)()
    const step = sequence.steps.shift()
    return step
      ? { action: step(id), pause: pick(sequence.pauses) }
      : { action: chooseBy(weighted, random())(id), pause: pick(pauses) }
  }

  const weighted = Object.values(makers).map(([weight, maker]) => ({ weight: weight * pick([0, 1, 1, 1, 4]), maker }))
  const pauses = pick([
    [0, 0, 1, 2, 4],
    [0, 2, 5, 10, 40],
    [5, 10, 30, 80],
  ])
  const opening: Action[] = [
    { do: 'changeListing', ...hot, change: { change: 'put', price: price(), quantity: 2 + below(6) } },
    { do: 'subscribe', seller: hot.seller, type: type() },
    { do: 'subscribe', seller: hot.seller, type: type() },
    // Buyers can order from a listing once it is processed.
    { do: 'advance', milliseconds: 1_000 },
  ]
  const steps: Step[] = []
  for (let id = 1; id <= count; id++) {
    const before = steps.at(-1)
    // Clients also send the same request twice at once.
    const isRepeated = before !== undefined && id > opening.length + 1 && random() < 0.1
    const opened = opening[id - 1]
    const chosen = opened && { action: opened, pause: 0 }
    const { action, pause } = chosen ?? (isRepeated ? { action: before, pause: below(3) } : next(id))
    steps.push({ ...action, id, pause: id <= opening.length + 1 ? OPENING_PAUSE : pause })
  }
  return steps
}

interface Sequence {
  steps: ((id: number) => Action)[]
  pauses: readonly number[]
}

interface Made {
  seller: number
  id: number
}

const FAULT_KINDS = ['fail', 'loseResponse', 'repeat'] as const

/** The maker at a position, from 0 to 1, on a line on which each is as long as its weight. */
function chooseBy<Maker>(makers: readonly { weight: number; maker: Maker }[], position: number): Maker {
  const total = makers.reduce((sum, { weight }) => sum + weight, 0)
  let passed = 0
  for (const { weight, maker } of makers) {
    passed += weight
    if (position * total < passed) return maker
  }
  return (makers[0] as { maker: Maker }).maker
}

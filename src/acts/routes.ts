import { type TSchema, Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../http/route.ts'
import { CompetitorOffer } from '../marketplace/offers/offers.ts'
import { Feedback } from '../marketplace/trade/feedback.ts'
import { Order } from '../marketplace/trade/order.ts'
import { Return } from '../marketplace/trade/returns.ts'
import type { Acts } from './acts.ts'
import { CancelAct, DeliverAct, FeedbackAct, JoinAct, LeaveAct, OrderAct, ReturnAct, SetPriceAct } from './schema.ts'

export interface ActRouteOptions {
  /** `/_souk/acts` */
  path: string
  access: 'public' | 'operator'
  tag: string
  /** Before the names of actor and act in operation ids. */
  operationPrefix: string
}

interface Act {
  actor: keyof Acts
  name: string
  summary: string
  body: TSchema
  result: TSchema
  // biome-ignore lint/suspicious/noExplicitAny: the body has its own type in each act.
  perform(body: any): Promise<object>
}

const listActs = ({ buyer, carrier, competitor }: Acts): Act[] => [
  { actor: 'buyer', name: 'order', summary: 'Place an order', body: OrderAct, result: Order, perform: buyer.order },
  {
    actor: 'buyer',
    name: 'cancel',
    summary: 'Cancel an order for its buyer, or ask the seller to',
    body: CancelAct,
    result: Order,
    perform: buyer.cancel,
  },
  {
    actor: 'buyer',
    name: 'return',
    summary: 'Return pieces of an order',
    body: ReturnAct,
    result: Return,
    perform: buyer.return,
  },
  {
    actor: 'buyer',
    name: 'leaveFeedback',
    summary: 'Leave feedback about an order',
    body: FeedbackAct,
    result: Feedback,
    perform: buyer.leaveFeedback,
  },
  {
    actor: 'carrier',
    name: 'deliver',
    summary: 'Deliver an order',
    body: DeliverAct,
    result: Order,
    perform: carrier.deliver,
  },
  {
    actor: 'competitor',
    name: 'setPrice',
    summary: "Set the price of a competitor's offer",
    body: SetPriceAct,
    result: CompetitorOffer,
    perform: competitor.setPrice,
  },
  {
    actor: 'competitor',
    name: 'join',
    summary: "Add a competitor's offer to a product",
    body: JoinAct,
    result: CompetitorOffer,
    perform: competitor.join,
  },
  {
    actor: 'competitor',
    name: 'leave',
    summary: "Remove a competitor's offers from a product",
    body: LeaveAct,
    result: Type.Object({}),
    perform: competitor.leave,
  },
]

/** One route for each act: `POST /_souk/acts/buyer/order`. */
export const createActRoutes =
  (acts: Acts, { path, access, tag, operationPrefix }: ActRouteOptions): Routes =>
  (app: App) => {
    for (const { actor, name, summary, body, result, perform } of listActs(acts)) {
      const operation = [operationPrefix, actor, name].filter(Boolean)
      app.post(
        `${path}/${actor}/${name}`,
        {
          config: { access, listsViolations: true },
          schema: {
            operationId: operation.map((word, index) => (index === 0 ? word : capitalize(word))).join(''),
            summary,
            tags: [tag],
            body,
            response: { 200: result, ...errorResponses },
          },
        },
        async (request) => ({ ...(await perform(request.body)) }),
      )
    }
  }

const capitalize = (word: string) => word.replace(/^./, (letter) => letter.toUpperCase())

import { expectTypeOf, test } from 'vitest'
import type { CompetitorOffer } from '../marketplace/offers/offers.ts'
import type { Feedback } from '../marketplace/trade/feedback.ts'
import type { Order } from '../marketplace/trade/order.ts'
import type { Return } from '../marketplace/trade/returns.ts'
import type * as Public from './public.ts'
import type * as Schema from './schema.ts'

type WithId<Options> = Options & { orderId: string }

test('the published types of acts conform to their schemas', () => {
  expectTypeOf<Public.OrderWishes>().toExtend<Schema.OrderAct>()
  expectTypeOf<WithId<Public.CancelOptions>>().toExtend<Schema.CancelAct>()
  expectTypeOf<WithId<Public.ReturnOptions>>().toExtend<Schema.ReturnAct>()
  expectTypeOf<Public.NewPrice>().toExtend<Schema.SetPriceAct>()
  expectTypeOf<Public.NewCompetitor>().toExtend<Schema.JoinAct>()
  expectTypeOf<Public.LeavingCompetitor>().toExtend<Schema.LeaveAct>()
  expectTypeOf<Order>().toExtend<Public.PlacedOrder>()
  expectTypeOf<Return>().toExtend<Public.ReturnedOrder>()
  expectTypeOf<Feedback>().toExtend<Public.LeftFeedback>()
  expectTypeOf<CompetitorOffer>().toExtend<Public.OfferOfCompetitor>()
})

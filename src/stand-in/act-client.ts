import { ActError, type ActErrorDetail } from '../acts/act-error.ts'
import type { Buyer, Carrier, Competitor, OrderReference } from '../acts/public.ts'

/** Sends a request to the service itself. */
export type PostJson = (path: string, body: object) => Promise<{ statusCode: number; json(): unknown }>

/** The acts of `startSouk`: the requests of `/_souk/acts`, so that both have the same checks and results. */
export function createActClient(post: PostJson): { buyer: Buyer; carrier: Carrier; competitor: Competitor } {
  const perform = async <Result>(act: string, body: object): Promise<Result> => {
    const response = await post(`/_souk/acts/${act}`, body)
    const result = response.json()
    if (response.statusCode === 200) return result as Result
    throw new ActError(response.statusCode, (result as { errors: ActErrorDetail[] }).errors)
  }
  const aboutOrder =
    <Options extends object, Result>(act: string) =>
    (order: OrderReference, options?: Options) =>
      perform<Result>(act, { ...options, ...keyOf(order) })
  return {
    buyer: {
      order: (wishes) => perform('buyer/order', wishes),
      cancel: aboutOrder('buyer/cancel'),
      return: aboutOrder('buyer/return'),
      leaveFeedback: aboutOrder('buyer/leaveFeedback'),
    },
    carrier: { deliver: aboutOrder('carrier/deliver') },
    competitor: {
      setPrice: (price) => perform('competitor/setPrice', price),
      join: (offer) => perform('competitor/join', offer),
      leave: async (competitor) => {
        await perform('competitor/leave', competitor)
      },
    },
  }
}

function keyOf(order: OrderReference) {
  if (typeof order === 'string') return { orderId: order }
  return { orderId: order?.orderId, ...(order?.sellerId !== undefined && { sellerId: order.sellerId }) }
}

import type { Action, ActionSchema, SolicitationActions } from './schema.ts'

export const ACTION_NAME = 'productReviewAndSellerFeedback'
const TITLE = 'Request a review'
const DESCRIPTION = 'Asks the buyer for a review of the product and feedback about the seller, in a fixed wording.'

/** The HAL body of an order: with the action when it can be done, with empty lists when it cannot. */
export function representActions(orderId: string, marketplaceId: string, available: boolean): SolicitationActions {
  const links = linksOf(orderId, marketplaceId)
  return {
    _links: {
      self: { href: links.order },
      actions: available ? [{ href: links.action, name: ACTION_NAME }] : [],
    },
    _embedded: { actions: available ? [representAction(orderId, marketplaceId)] : [] },
  }
}

function representAction(orderId: string, marketplaceId: string): Action {
  const links = linksOf(orderId, marketplaceId)
  return {
    name: ACTION_NAME,
    title: TITLE,
    payload: { name: ACTION_NAME },
    _links: {
      self: { href: links.action, name: ACTION_NAME },
      schema: { href: links.schema, name: ACTION_NAME },
    },
    _embedded: { schema: representSchema(orderId, marketplaceId, null) },
  }
}

export function representSchema(orderId: string, marketplaceId: string, disabledReason: string | null): ActionSchema {
  const fields = {
    type: 'object',
    name: ACTION_NAME,
    title: TITLE,
    description: DESCRIPTION,
    disabled: disabledReason !== null,
    disabledReason,
    properties: {},
    required: [],
    $schema: 'http://json-schema.org/draft-04/schema#',
    'x-ui-hidden': false,
  } as const
  const href = linksOf(orderId, marketplaceId).schema
  return {
    _links: { self: { href, name: ACTION_NAME } },
    ...fields,
    required: [],
    payload: { ...fields, required: [] },
  }
}

function linksOf(orderId: string, marketplaceId: string) {
  const query = `?marketplaceIds=${encodeURIComponent(marketplaceId)}`
  const order = `/solicitations/v1/orders/${encodeURIComponent(orderId)}`
  const action = `${order}/solicitations/${ACTION_NAME}`
  return { order: order + query, action: action + query, schema: `${action}/schema${query}` }
}

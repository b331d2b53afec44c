import type { Action, ActionSchema, SolicitationActions } from './schema.ts'

const ACTION_NAME = 'productReviewAndSellerFeedback'
const TITLE = 'Request a review'
const DESCRIPTION = 'Asks the buyer for a review of the product and feedback about the seller, in a fixed wording.'

/** The HAL body of an order, whose lists may be empty. */
function renderActionsBody(
  orderId: string,
  marketplaceId: string,
  actions: { listed: boolean; disabledReason?: string },
): SolicitationActions {
  const links = linksOf(orderId, marketplaceId)
  return {
    _links: { self: links.order, actions: actions.listed ? [links.action] : [] },
    _embedded: { actions: actions.listed ? [renderAction(links, actions.disabledReason ?? null)] : [] },
  }
}

/** For clients that expect the action of an order that is not eligible, too. */
export const renderDisabledJson = (orderId: string, marketplaceId: string, disabledReason: string): string =>
  JSON.stringify(renderActionsBody(orderId, marketplaceId, { listed: true, disabledReason }))

/**
 * Fills ids into text that is rendered once. Rendering the body for each request took longer than finding the order, and
 * every client requests it before it sends.
 */
export function renderActionsJson(orderId: string, marketplaceId: string, available: boolean): string {
  return available ? renderAvailableJson(orderId, marketplaceId) : renderUnavailableJson(orderId, marketplaceId)
}

const renderAvailableJson = compileTemplate(renderActionsBody('ORDER_ID', 'MARKETPLACE_ID', { listed: true }))
const renderUnavailableJson = compileTemplate(renderActionsBody('ORDER_ID', 'MARKETPLACE_ID', { listed: false }))

function compileTemplate(body: SolicitationActions) {
  const parts = JSON.stringify(body).split(/(ORDER_ID|MARKETPLACE_ID)/)
  return (orderId: string, marketplaceId: string): string => {
    // The output of encodeURIComponent needs no escaping in JSON.
    const order = encodeURIComponent(orderId)
    const marketplace = encodeURIComponent(marketplaceId)
    let text = ''
    for (const part of parts) text += part === 'ORDER_ID' ? order : part === 'MARKETPLACE_ID' ? marketplace : part
    return text
  }
}

export function renderSchema(orderId: string, marketplaceId: string, disabledReason: string | null): ActionSchema {
  return schemaBody(linksOf(orderId, marketplaceId), disabledReason)
}

function renderAction(links: Links, disabledReason: string | null): Action {
  return {
    name: ACTION_NAME,
    title: TITLE,
    payload: { name: ACTION_NAME },
    _links: { self: links.action, schema: links.schema },
    _embedded: { schema: schemaBody(links, disabledReason) },
  }
}

function schemaBody(links: Links, disabledReason: string | null): ActionSchema {
  const fields = {
    type: 'object' as const,
    name: ACTION_NAME,
    title: TITLE,
    description: DESCRIPTION,
    disabled: disabledReason !== null,
    disabledReason,
    properties: {},
    required: [],
    $schema: 'http://json-schema.org/draft-04/schema#',
    'x-ui-hidden': false,
  }
  return { _links: { self: links.schema }, ...fields, payload: fields }
}

type Links = ReturnType<typeof linksOf>

function linksOf(orderId: string, marketplaceId: string) {
  const query = `?marketplaceIds=${encodeURIComponent(marketplaceId)}`
  const order = `/solicitations/v1/orders/${encodeURIComponent(orderId)}`
  const action = `${order}/solicitations/${ACTION_NAME}`
  return {
    order: { href: order + query },
    action: { href: action + query, name: ACTION_NAME },
    schema: { href: `${action}/schema${query}`, name: ACTION_NAME },
  }
}

import { invalidInput, invalidParameter } from '../../../platform/errors/api-error.ts'
import { withFields, withoutFields } from '../../../platform/errors/explanation.ts'
import { type EventFilterType, type NotificationType, publicTypeName } from '../notification-types.ts'
import { samplePayload } from '../samples/index.ts'
import type { EventFilter, ProcessingDirective } from '../schema.ts'
import { matchesExpression } from './expression.ts'
import type { Budget } from './expression-budget.ts'
import { ExpressionError, FilterError } from './expression-errors.ts'
import { parseExpression } from './expression-parser.ts'

const FILTER = 'processingDirective.eventFilter'
const EXPRESSION = 'processingDirective.filterExpression'
const SAMPLE_TIME = new Date(0)

/** The settings of each kind of event filter. */
const SETTINGS: Record<EventFilterType, readonly (keyof EventFilter)[]> = {
  ANY_OFFER_CHANGED: ['aggregationSettings', 'marketplaceIds'],
  ORDER_CHANGE: ['marketplaceIds', 'orderChangeTypes'],
  SHIPMENT_TRACKING_MILESTONE_CHANGED: ['trackingIdentifier'],
}

/** Returns the directive to store. Throws if the notification type does not support it. */
export function parseDirective(
  directive: ProcessingDirective | null | undefined,
  type: NotificationType,
): ProcessingDirective | undefined {
  const { eventFilter, filterExpression } = directive ?? {}
  if (eventFilter && filterExpression !== undefined) {
    throw invalidParameter(
      'processingDirective',
      'must not have both eventFilter and filterExpression',
      withoutFields(EXPRESSION),
    )
  }
  if (eventFilter) return { eventFilter: parseEventFilter(eventFilter, type) }
  if (filterExpression === undefined) return undefined
  if (!type.supportsExpressions) throw notSupported(EXPRESSION, type)
  requireEvaluable(filterExpression, type)
  return { filterExpression }
}

const notSupported = (place: string, { name }: NotificationType) =>
  invalidParameter(place, `is not supported for ${name}`, withoutFields(place))

function parseEventFilter(filter: EventFilter, type: NotificationType): EventFilter {
  if (!type.eventFilter) throw notSupported(FILTER, type)
  const eventFilterType = publicTypeName(filter.eventFilterType) as EventFilterType
  if (eventFilterType !== type.eventFilter) {
    const place = `${FILTER}.eventFilterType`
    throw invalidParameter(
      place,
      `must be ${type.eventFilter} for ${type.name}`,
      withFields({ [place]: type.eventFilter }),
    )
  }
  const allowed = SETTINGS[eventFilterType]
  const settings = Object.values(SETTINGS).flat()
  const foreign = settings.find((name) => filter[name] !== undefined && !allowed.includes(name))
  if (foreign) throw notSupported(`${FILTER}.${foreign}`, type)
  const { trackingIdentifier } = filter
  if (trackingIdentifier && Object.values(trackingIdentifier).filter((value) => value !== undefined).length !== 1) {
    const place = `${FILTER}.trackingIdentifier`
    const [first] = Object.entries(trackingIdentifier).filter(([, value]) => value !== undefined)
    const explain = first ? withFields({ [place]: Object.fromEntries([first]) }) : withoutFields(place)
    throw invalidParameter(place, 'must have exactly one identifier', explain)
  }
  return { ...pick(filter, allowed), eventFilterType }
}

const pick = (filter: EventFilter, names: readonly (keyof EventFilter)[]): Partial<EventFilter> =>
  Object.fromEntries(names.filter((name) => filter[name] !== undefined).map((name) => [name, filter[name]]))

/** Throws unless the expression parses and can be evaluated for the sample notification of the type. */
function requireEvaluable(expression: string, { name, payloadVersions: [payloadVersion] }: NotificationType): void {
  try {
    parseExpression(expression)
    matchesExpression(expression, samplePayload(name, payloadVersion as string, SAMPLE_TIME))
  } catch (error) {
    if (error instanceof FilterError)
      throw invalidInput(EXPRESSION, `${EXPRESSION} is too expensive: ${error.message}.`, withoutFields(EXPRESSION))
    if (!(error instanceof ExpressionError)) throw error
    const details = `${EXPRESSION} is invalid at position ${error.position}: ${error.message}.`
    throw invalidInput(EXPRESSION, details, withoutFields(EXPRESSION))
  }
}

/**
 * Whether a subscription with this directive is notified of the payload. Throws a FilterError if its filter expression
 * cannot be evaluated. Callers must not let this affect other subscriptions.
 */
export function matchesDirective(
  directive: ProcessingDirective | undefined,
  payload: object,
  budget?: Budget,
): boolean {
  if (directive?.filterExpression !== undefined) return matchesExpression(directive.filterExpression, payload, budget)
  const filter = directive?.eventFilter
  return !filter || matchesEventFilter(filter, payload)
}

interface FilteredPayload {
  AnyOfferChangedNotification?: { OfferChangeTrigger?: { MarketplaceId?: string; ASIN?: string } }
  OrderChangeNotification?: { OrderChangeType?: string; Summary?: { MarketplaceId?: string } }
  shipmentTrackingMilestoneChangedNotification?: { trackingDetail?: { identifier?: object } }
}

function matchesEventFilter(
  { marketplaceIds, orderChangeTypes, trackingIdentifier }: EventFilter,
  payload: FilteredPayload,
): boolean {
  const order = payload.OrderChangeNotification
  const marketplaceId =
    payload.AnyOfferChangedNotification?.OfferChangeTrigger?.MarketplaceId ?? order?.Summary?.MarketplaceId
  if (!isListed(marketplaceIds, marketplaceId) || !isListed(orderChangeTypes, order?.OrderChangeType)) return false
  if (!trackingIdentifier) return true
  const payloadIdentifier = payload.shipmentTrackingMilestoneChangedNotification?.trackingDetail?.identifier ?? {}
  return Object.entries(trackingIdentifier).every(([name, value]) => {
    return JSON.stringify((payloadIdentifier as Record<string, unknown>)[name]) === JSON.stringify(value)
  })
}

/** A missing or empty list matches everything. */
const isListed = (list: readonly string[] | undefined, value: string | undefined) =>
  !list || list.length === 0 || (value !== undefined && list.includes(value))

const PERIOD_MILLISECONDS = { FiveMinutes: 5 * 60 * 1000, TenMinutes: 10 * 60 * 1000 }

/** Returns the aggregation key and period of a payload, or undefined. */
export function aggregationOf(
  directive: ProcessingDirective | undefined,
  payload: FilteredPayload,
): { key: string; periodMilliseconds: number } | undefined {
  const period = directive?.eventFilter?.aggregationSettings?.aggregationTimePeriod
  const trigger = payload.AnyOfferChangedNotification?.OfferChangeTrigger
  if (!period || !trigger) return undefined
  return { key: `${trigger.MarketplaceId} ${trigger.ASIN}`, periodMilliseconds: PERIOD_MILLISECONDS[period] }
}

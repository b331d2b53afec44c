import { invalidParameter } from '../../../platform/errors/api-error.ts'
import { type Explain, neverPasses, withFields } from '../../../platform/errors/explanation.ts'
import { rankSimilar } from '../../../platform/similar-words.ts'
import type { Destination } from '../destinations/destination.ts'
import { parseDirective } from '../filters/directive.ts'
import { type NotificationType, notificationTypes, publicTypeName } from '../notification-types.ts'
import type { CreateSubscriptionBody, ProcessingDirective } from '../schema.ts'

/** Throws unless sellers can have such a subscription. Returns its type, and the directive to store. */
export function parseSubscription(
  typeName: string,
  { payloadVersion, processingDirective }: Pick<CreateSubscriptionBody, 'payloadVersion' | 'processingDirective'>,
): { type: NotificationType; directive: ProcessingDirective | undefined } {
  const type = requireType(typeName)
  if (type.isAboutApplication) {
    const explain = neverPasses('Have the operator set secretQueues of the application.', {
      notificationType: type.name,
    })
    throw invalidParameter('notificationType', 'is about the application: the operator sets its queue', explain)
  }
  requireVersion(type, payloadVersion, 'payloadVersion')
  return { type, directive: parseDirective(processingDirective, type) }
}

export function requireType(name: string): NotificationType {
  const type = notificationTypes.get(publicTypeName(name))
  if (type) return type
  throw invalidParameter('notificationType', `is not a notification type: ${name}`, () => {
    const known = [...notificationTypes.keys()]
    return {
      facts: { notificationType: name },
      change: { replace: { [name]: rankSimilar(name, known)[0]?.candidate ?? '' } },
    }
  })
}

export function requireVersion({ name, payloadVersions }: NotificationType, version: string, place: string): void {
  if (payloadVersions.includes(version)) return
  throw invalidParameter(
    place,
    `must be ${payloadVersions.join(' or ')} for ${name}`,
    withFields({ [place]: payloadVersions.at(-1) }),
  )
}

/** Throws unless the destination exists and can receive notifications of the type. */
export function requireTransport(destination: Destination | undefined, type: NotificationType): Destination {
  if (!destination) {
    const explain = withDestination(createDestination(type))
    throw invalidParameter('destinationId', 'is not a destination of the application', explain)
  }
  if (destination.target.kind === type.transport) return destination
  const explain = withDestination(createDestination(type), destination.target.kind)
  throw invalidParameter('destinationId', `must be a destination of type ${type.transport} for ${type.name}`, explain)
}

const withDestination =
  (first: string, type: string | null = null): Explain =>
  () => ({ facts: { typeOfDestination: type }, change: { fields: { destinationId: '<the destinationId>' }, first } })

const createDestination = ({ transport }: NotificationType) =>
  `POST /notifications/v1/destinations with a resource of type ${transport}, or use one that GET lists there.`

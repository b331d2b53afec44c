import { expect, test } from 'vitest'
import { notificationTypes } from '../../src/areas/notifications/notification-types.ts'
import { documentedRows } from './documented-rows.ts'

test('docs/notifications.md has a row for every type with its destination and versions, and no other rows', () => {
  const documented = documentedRows('notifications.md')
    .filter(([, destination]) => destination === 'sqs' || destination === 'eventBridge')
    .map(([name, destination, versions]) => [name, destination, versions])
  const existing = [...notificationTypes.values()].map(({ name, transport, payloadVersions }) => [
    name,
    transport,
    payloadVersions.join(', '),
  ])
  expect(documented.sort()).toEqual(existing.sort())
})

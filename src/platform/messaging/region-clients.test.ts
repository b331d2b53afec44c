import { expect, test } from 'vitest'
import { MAX_KEPT_CLIENTS, RegionClients } from './region-clients.ts'

function openClients() {
  const opened: string[] = []
  const destroyed: string[] = []
  const given: unknown[] = []
  const clients = new RegionClients({}, ({ region, ...settings }) => {
    opened.push(region)
    given.push('credentials' in settings ? settings.credentials : undefined)
    const credentials = async () => ({ accessKeyId: region, secretAccessKey: 'secret' })
    return { region, config: { credentials }, destroy: () => destroyed.push(region) }
  })
  const succeed = (region: string) => clients.use(region, async (client) => client.region)
  const fail = (region: string) => clients.use(region, () => Promise.reject(new Error('No such host'))).catch(() => {})
  return { clients, opened, destroyed, given, succeed, fail }
}

test('clients of regions that do not exist are destroyed, and do not displace those in use', async () => {
  const { opened, destroyed, succeed, fail } = openClients()
  await succeed('eu-west-1')
  for (let number = 0; number < 3 * MAX_KEPT_CLIENTS; number++) await fail(`invented-${number}`)
  await succeed('eu-west-1')
  expect(opened.filter((region) => region === 'eu-west-1')).toHaveLength(1)
  expect(destroyed).toHaveLength(opened.length - MAX_KEPT_CLIENTS)
  expect(destroyed).not.toContain('eu-west-1')
})

test('of many regions in use, the client that was not used for longest is destroyed after its calls', async () => {
  const { clients, destroyed, succeed, fail } = openClients()
  for (let number = 0; number < MAX_KEPT_CLIENTS; number++) await succeed(`region-${number}`)
  await succeed('region-0')
  await fail('unproven')
  expect(destroyed).toEqual(['unproven'])
  let respond = () => {}
  const sending = clients.use('another', () => new Promise<void>((resolve) => (respond = resolve)))
  expect(destroyed).toEqual(['unproven'])
  respond()
  await sending
  expect(destroyed).toEqual(['unproven', 'another'])
})

test('a region in which nothing succeeds does not decide where others get their credentials', async () => {
  const { given, succeed, fail } = openClients()
  await fail('invented')
  await succeed('eu-west-1')
  await succeed('us-east-1')
  expect(given.slice(0, 2)).toEqual([undefined, undefined])
  const credentials = given[2] as () => Promise<object>
  expect(await credentials()).toMatchObject({ accessKeyId: 'eu-west-1' })
})

test('all clients use the credentials that the first one has found', async () => {
  const { given, succeed } = openClients()
  await succeed('eu-west-1')
  await succeed('us-east-1')
  await succeed('eu-central-1')
  expect(given[0]).toBeUndefined()
  expect(given[1]).toBeTypeOf('function')
  expect(given[2]).toBe(given[1])
})

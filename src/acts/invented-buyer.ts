import type { Order } from '../marketplace/trade/order.ts'

const NAMES = [
  'Nadia Benali',
  'Tom Fischer',
  'Ana Ribeiro',
  'Omar Haddad',
  'Lena Vogel',
  'Sam Carter',
  'Mina Okafor',
  'Luis Ortega',
] as const

type Place = NonNullable<Order['shipTo']>

const PLACES: Readonly<Record<string, readonly Place[]>> = {
  US: [
    { city: 'Portland', stateOrRegion: 'OR', postalCode: '97201' },
    { city: 'Austin', stateOrRegion: 'TX', postalCode: '78701' },
    { city: 'Madison', stateOrRegion: 'WI', postalCode: '53703' },
  ],
  CA: [{ city: 'Halifax', stateOrRegion: 'NS', postalCode: 'B3H 1A1' }],
  GB: [{ city: 'Leeds', postalCode: 'LS1 1UR' }],
  DE: [
    { city: 'Leipzig', postalCode: '04109' },
    { city: 'Bremen', postalCode: '28195' },
  ],
  FR: [{ city: 'Nantes', postalCode: '44000' }],
  ES: [{ city: 'Valencia', postalCode: '46001' }],
  IT: [{ city: 'Torino', stateOrRegion: 'TO', postalCode: '10121' }],
  JP: [{ city: 'Sendai', stateOrRegion: 'Miyagi', postalCode: '980-0011' }],
}
const ELSEWHERE: readonly Place[] = [{ city: 'Old Town', postalCode: '10001' }]

const at = <Item>(items: readonly Item[], number: number) => items[number % items.length] as Item

/** A buyer in a country, the same for the same order. */
export function inventBuyer(
  orderId: string,
  countryCode: string,
): { buyer: { name: string; email: string }; shipTo: Place } {
  const number = Number(orderId.slice(-7))
  const name = at(NAMES, number)
  const place = at(PLACES[countryCode] ?? ELSEWHERE, number)
  return {
    buyer: { name, email: `buyer-${orderId}@marketplace.example` },
    shipTo: {
      ...place,
      countryCode,
      name,
      addressLine1: `${1 + (number % 99)} Bazaar Street`,
      addressType: 'Residential',
    },
  }
}

import { BlockList, isIP } from 'node:net'

const ANY = ['0.0.0.0', '::']

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Also for IPv4 addresses in IPv6 notation, which a server on `::` has. */
export const isLoopback = (address: string) => isIn(loopback, address)

/**
 * Whether the control plane is served on a connection, by the local address that the client connected to. A connection
 * to a loopback address comes from this machine. The remote address would not do: a port that a container publishes
 * makes all clients look alike.
 */
export function createControlAddresses(controlHost: string | undefined): (localAddress: string | undefined) => boolean {
  if (controlHost !== undefined && ANY.includes(controlHost)) return () => true
  const own = new BlockList()
  if (controlHost !== undefined && isIP(controlHost) !== 0) own.addAddress(controlHost, familyOf(controlHost))
  // A connection that is closed by now has no address.
  return (address) => address !== undefined && (isLoopback(address) || isIn(own, address))
}

const isIn = (list: BlockList, address: string) => isIP(address) !== 0 && list.check(address, familyOf(address))

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

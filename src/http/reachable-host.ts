/** The host of a URL for clients on this machine, of a server that listens on an address. */
export function toReachableHost(address: string): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return address.includes(':') ? `[${address}]` : address
}

/** Public internet addresses. All others are private networks. */
import { BlockList, isIP } from 'node:net'

// IANA's registries of special-purpose addresses, and the address at which Azure's machines find their own controller.
const closed4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Parts of 2000::/3 that are tunnels into other networks, or for documents. */
const closed6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const closed = new BlockList()
for (const [network, prefix] of closed4) closed.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of closed6) closed.addSubnet(network, prefix, 'ipv6')
const open6 = new BlockList()
open6.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address, as a connection has it, is a public unicast address. Anything that is no address is not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closed.check(address, 'ipv4')
    case 6:
      // Mapped and translated IPv4 addresses are outside of 2000::/3.
      return open6.check(address, 'ipv6') && !closed.check(address, 'ipv6')
    default:
      return false
  }
}

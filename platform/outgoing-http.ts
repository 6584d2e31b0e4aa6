/**
 * Requests to addresses that others gave us. Such an address may name a machine of our own network, so every address
 * that its name resolves to is looked at, and the connection is made to that very address: a name that resolves
 * differently the next moment changes nothing. No redirect is followed.
 */
import { lookup as resolveName } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

const refusedAddresses = new BlockList()
// Special-purpose addresses: https://www.iana.org/assignments/iana-ipv4-special-registry, …-ipv6-special-registry
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  refusedAddresses.addSubnet(net, prefix, 'ipv4')
/** Of IPv6 only global unicast is reached, and of that not what leads to IPv4 or is for examples. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  refusedAddresses.addSubnet(net, prefix, 'ipv6')

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  if (!isIPv6(address)) return !refusedAddresses.check(address, 'ipv4')
  return globalUnicast.check(address, 'ipv6') && !refusedAddresses.check(address, 'ipv6')
}

/** An address that is not asked, with the words why. */
export class RefusedAddress extends Error {}

export type OutgoingPost = {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly longestAnswer: number
  /** Origins that are reached whatever their address, such as that of a demo's sandbox. */
  readonly trusted: readonly string[]
}

export type OutgoingAnswer = { readonly status: number; readonly text: string }

/** Posts a text to an address from outside. Throws a `RefusedAddress`, or the error of the connection. */
export async function postToPublic(address: string, post: OutgoingPost): Promise<OutgoingAnswer> {
  const url = new URL(address)
  const isTrusted = post.trusted.includes(url.origin)
  if (!isTrusted) refuseByForm(url)
  const send = url.protocol === 'https:' ? requestSecure : requestPlain
  const { promise, resolve, reject } = Promise.withResolvers<OutgoingAnswer>()
  const body = Buffer.from(post.body)
  const request = send(
    url,
    {
      method: 'POST',
      headers: { ...post.headers, 'content-length': String(body.length) },
      signal: AbortSignal.timeout(post.timeoutMs),
      agent: false,
      ...(isTrusted ? {} : { lookup: lookUpPublic }),
    },
    (response) => {
      const parts: Buffer[] = []
      let length = 0
      response.on('data', (part: Buffer) => {
        length += part.length
        if (length > post.longestAnswer) return void response.destroy(new Error('The answer is too long.'))
        parts.push(part)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
      response.on('error', reject)
    },
  )
  request.on('error', reject)
  request.end(body)
  return promise
}

/** What is refused before any name is resolved: plain HTTP, and addresses written as numbers that are not public. */
function refuseByForm({ protocol, hostname }: URL): void {
  if (protocol !== 'https:') throw new RefusedAddress('Only https addresses are asked.')
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0 && !isPublicAddress(bare)) throw new RefusedAddress('The address is not a public one.')
}

/** Resolves a name, refusing it if any of its addresses is not public. */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 4)
    const [first] = found
    if (!first || found.some(({ address }) => !isPublicAddress(address)))
      return callback(new RefusedAddress('The name leads to an address that is not public.'), '', 4)
    return options.all === true ? callback(null, found) : callback(null, first.address, first.family)
  })
}

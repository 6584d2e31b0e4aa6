/** Which address a request comes from, and which network counts as one visitor. */
import { isIP, isIPv6 } from 'node:net'
import type { Config } from '#platform/config.ts'

/** The header in which the proxies in front of the store write who sent a request. */
export type ForwardedHeader = Config['forwardedHeader']

/** The request and configuration data that determine the address. */
type From = {
  /** The address at the other end of the connection. */
  socketAddress: string | undefined
  header: (name: string) => string | undefined
  config: { web: Pick<Config['web'], 'proxyHops'>; forwardedHeader: ForwardedHeader }
}

/**
 * Returns a request's client IP address. It is the socket's address or the one added by our trusted proxies. Entries
 * further left in the header come from the visitor. An invalid entry, such as `unknown`, counts as the socket's
 * address, so text that a client can vary never becomes a key.
 */
export function clientAddress({ socketAddress, header, config }: From): string {
  const socket = parseAddress(socketAddress ?? '') ?? 'unknown'
  const hops = config.web.proxyHops
  if (hops === 0) return socket
  const value = header(config.forwardedHeader) ?? ''
  const written = config.forwardedHeader === 'forwarded' ? forwardedFor(value) : value.split(',')
  return parseAddress(written.at(-hops) ?? '') ?? socket
}

/** The same for a Hono context. */
export function addressOf(
  c: {
    env: { incoming?: { socket: { remoteAddress?: string | undefined } } | undefined }
    req: { header: (name: string) => string | undefined }
  },
  config: From['config'],
): string {
  return clientAddress({
    socketAddress: c.env.incoming?.socket.remoteAddress,
    header: (name) => c.req.header(name),
    config,
  })
}

/**
 * Parses an IP address as written by proxies, with or without a port (`203.0.113.7:50123`, `[2001:db8::1]:50123`), in
 * brackets, or in the quotes of RFC 7239. Returns undefined for invalid text.
 */
export function parseAddress(written: string): string | undefined {
  const text = written.trim().replace(/^"(.*)"$/s, '$1')
  const [, inBrackets] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? []
  if (inBrackets !== undefined) return isIPv6(inBrackets) ? inBrackets : undefined
  const address = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? undefined : address
}

/** The `for` values of a `Forwarded` header (RFC 7239, section 4), one per proxy; empty for a proxy without one. */
function forwardedFor(value: string): string[] {
  return (value.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []).map(
    (element) => /(?:^|;)\s*for=("(?:[^"\\]|\\.)*"|[^;\s]*)/i.exec(element)?.[1] ?? '',
  )
}

/**
 * Returns the network that counts as one visitor. It is an IPv4 address, or an IPv6 /64 because a single connection
 * receives all of it. IPv4-mapped IPv6 addresses count as IPv4.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*/s, '').toLowerCase()
  if (!isIPv6(plain)) return plain
  // Normalizes the address. The longest run of zeros becomes "::", and the last 32 bits become hexadecimal.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16))
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : groups.slice(0, 4).join(':')
}

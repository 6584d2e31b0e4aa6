/**
 * Calls to addresses that strangers name. Only https, only port 443 and others above 1023, never an address of a
 * private network: what a name resolves to is checked, and that very address is called.
 */
import { lookup as resolve } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { PlatformWire, WireRefusal } from '#domain/agents/platform-wire.port.ts'
import { ok, refused, type Outcome } from '#platform/outcome.ts'

const largest = 128 * 1024
const patienceMs = 4_000

type Answered = { status: number; text: string; cacheControl: string }

/** `allowsLocal`: the demo's own machine may be called, over http too. */
export function createPlatformWire({ allowsLocal }: { allowsLocal: boolean }): PlatformWire {
  return {
    async read(url) {
      const answered = await call(url, { method: 'GET', headers: { accept: 'application/json' } })
      if (!answered.ok) return answered
      const { status, text, cacheControl } = answered.value
      if (status !== 200) return refused('unreachable')
      const maxAge = /(?:^|[\s,])max-age=(\d{1,9})/.exec(cacheControl)?.[1]
      return ok({ text, maxAgeSeconds: maxAge === undefined ? null : Number(maxAge) })
    },
    async send(url, { headers, body }) {
      const answered = await call(url, { method: 'POST', headers, body })
      // The rest of a long answer does not matter.
      if (!answered.ok) return answered.reason === 'too-large' ? ok(null) : answered
      return answered.value.status >= 200 && answered.value.status < 300 ? ok(null) : refused('unreachable')
    },
  }

  function call(
    url: URL,
    { method, headers, body }: { method: string; headers: Readonly<Record<string, string>>; body?: Uint8Array },
  ): Promise<Outcome<Answered, WireRefusal>> {
    const isLocal = allowsLocal && ['localhost', '127.0.0.1'].includes(url.hostname)
    if (!isLocal && !mayCall(url)) return Promise.resolve(refused('refused'))
    return new Promise((settle) => {
      const send = url.protocol === 'https:' ? requestSecure : requestPlain
      const request = send(url, {
        method,
        headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
        signal: AbortSignal.timeout(patienceMs),
        agent: false,
        ...(!isLocal && { lookup: lookupPublic }),
      })
      request.on('error', (error) => {
        settle(refused(error.message === notPublic ? 'refused' : 'unreachable'))
      })
      request.on('response', (response) => {
        const parts: Buffer[] = []
        let length = 0
        response.on('data', (part: Buffer) => {
          length += part.length
          if (length > largest) {
            settle(refused('too-large'))
            response.destroy()
          } else parts.push(part)
        })
        response.on('error', () => settle(refused('unreachable')))
        response.on('end', () => {
          settle(
            ok({
              status: response.statusCode ?? 0,
              text: Buffer.concat(parts).toString('utf8'),
              cacheControl: response.headers['cache-control'] ?? '',
            }),
          )
        })
      })
      request.end(body)
    })
  }
}

function mayCall({ protocol, hostname, port, username, password }: URL): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '')
  return (
    protocol === 'https:' &&
    username === '' &&
    password === '' &&
    (port === '' || Number(port) > 1_023) &&
    (isIP(literal) === 0 ? hostname.includes('.') : isPublic(literal))
  )
}

const notPublic = 'not a public address'

/** Resolves a name, and gives only its public addresses to the connection; none is an error. */
const lookupPublic: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      done(error, '', 0)
      return
    }
    const allowed = addresses.filter(({ address }) => isPublic(address))
    const [first] = allowed
    if (!first || allowed.length < addresses.length) done(new Error(notPublic), '', 0)
    else if (options.all) done(null, allowed)
    else done(null, first.address, first.family)
  })
}

const special = new BlockList()
for (const [network, bits] of [
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
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, bits, 'ipv4')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const special6 = new BlockList()
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special6.addSubnet(network, bits, 'ipv6')

/** Whether an address is one of the public internet. IPv6 that carries an IPv4 address is not. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4')
  return isIP(address) === 6 && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

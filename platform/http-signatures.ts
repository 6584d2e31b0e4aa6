/**
 * HTTP Message Signatures (RFC 9421) with ECDSA P-256, over what UCP requires: method, authority, path, query, the
 * sender's profile, the idempotency key, the digest of the body (RFC 9530) and its type.
 */
import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** A public key as a profile publishes it. */
export type PublicJwk = { kid: string; kty: 'EC'; crv: 'P-256'; x: string; y: string; use: 'sig'; alg: 'ES256' }
export type SigningKey = { readonly jwk: PublicJwk; readonly privateKey: KeyObject }
export type SignedRequest = {
  readonly method: string
  readonly url: URL
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array | null
}
export type SignatureRefusal =
  | Refused<'signature_missing'>
  | Refused<'signature_invalid'>
  | Refused<'key_not_found'>
  | Refused<'digest_mismatch'>
  | Refused<'algorithm_unsupported'>

/** Derives a key from a secret, so that every process in a store has the same key without storing it. */
export function signingKeyFrom(secret: string, purpose: string): SigningKey {
  const curve = createECDH('prime256v1')
  for (let round = 0; ; round += 1) {
    try {
      curve.setPrivateKey(Buffer.from(hkdfSync('sha256', secret, 'sidewall', `${purpose} ${round}`, 32)))
      break
    } catch {
      // Not a valid number for the curve, which happens for one seed in four billion. The next round tries another.
    }
  }
  const point = curve.getPublicKey()
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const key = { kty: 'EC', crv: 'P-256', x, y } as const
  return {
    jwk: { kid: thumbprint(key), ...key, use: 'sig', alg: 'ES256' },
    privateKey: createPrivateKey({
      key: { ...key, d: curve.getPrivateKey().toString('base64url') },
      format: 'jwk',
    }),
  }
}

/** RFC 7638: the members a key requires, in order. */
function thumbprint({ crv, kty, x, y }: { crv: string; kty: string; x: string; y: string }): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
}

/** Returns the headers that sign a request, its digest among them. */
export function signRequest(
  { jwk, privateKey }: SigningKey,
  request: SignedRequest,
  createdAt: Temporal.Instant,
): Record<string, string> {
  const digest = request.body ? { 'content-digest': contentDigest(request.body) } : {}
  const headers = { ...request.headers, ...digest }
  const components = requiredComponents({ ...request, headers })
  const list = components.map((name) => `"${name}"`).join(' ')
  const parameters = `(${list});created=${Math.trunc(createdAt.epochMilliseconds / 1_000)};keyid="${jwk.kid}"`
  const base = signatureBase({ ...request, headers }, components, parameters) ?? ''
  const signature = sign('sha256', Buffer.from(base), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return {
    ...digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${signature.toString('base64')}:`,
  }
}

/** How far the clock of who signs may be from ours, and how old a request may be. */
export const signatureMinutes = 5

/**
 * Verifies a request's first signature with its sender's published keys. It must cover all required parts, and its
 * creation and expiry times, if any, must be valid at `now`.
 */
export function verifyRequest(
  keys: readonly unknown[],
  request: SignedRequest,
  now: Temporal.Instant,
): Outcome<{ keyId: string }, SignatureRefusal> {
  const { headers, body } = request
  if (headers['signature-input'] === undefined || headers['signature'] === undefined)
    return refused('signature_missing')
  const parsed = parseInput(headers['signature-input'])
  const signature = parsed && signatureOf(headers['signature'], parsed.label)
  const base = parsed && wholeBase(request, parsed)
  if (!parsed || !signature || base === undefined || !isCurrent(parsed.parameters, now))
    return refused('signature_invalid')
  if (body && headers['content-digest'] !== contentDigest(body)) return refused('digest_mismatch')
  const key = keys.find((each) => isRecord(each) && each['kid'] === parsed.keyId)
  if (!isRecord(key)) return refused('key_not_found')
  if (key['kty'] !== 'EC' || key['crv'] !== 'P-256') return refused('algorithm_unsupported')
  return isSignedBy(key, base, signature) ? ok({ keyId: parsed.keyId }) : refused('signature_invalid')
}

/** The base of a signature that covers all that is required; undefined for any other. */
function wholeBase(
  request: SignedRequest,
  { components, parameters }: { components: string[]; parameters: string },
): string | undefined {
  const isWhole = requiredComponents(request).every((name) => components.includes(name))
  return isWhole ? signatureBase(request, components, parameters) : undefined
}

/** Both times are optional in UCP; one that is sent must hold. */
function isCurrent(parameters: string, now: Temporal.Instant): boolean {
  const seconds = now.epochMilliseconds / 1_000
  const [created = seconds] = timeIn(parameters, 'created')
  const [expires = Infinity] = timeIn(parameters, 'expires')
  return Math.abs(seconds - created) <= signatureMinutes * 60 && expires > seconds
}

function timeIn(parameters: string, name: string): number[] {
  return parameters
    .slice(parameters.indexOf(')') + 1)
    .split(';')
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => Number(part.slice(name.length + 1)))
}

function isSignedBy(key: Record<string, unknown>, base: string, signature: Buffer): boolean {
  try {
    const publicKey = createPublicKey({ key, format: 'jwk' })
    return verify('sha256', Buffer.from(base), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
  } catch {
    return false
  }
}

/** The first signature of a `Signature-Input`, as UCP writes it; undefined for any other form. */
function parseInput(
  input: string,
): { label: string; parameters: string; components: string[]; keyId: string } | undefined {
  const cut = input.indexOf('=')
  const [label, rest] = [input.slice(0, cut), input.slice(cut + 1)]
  const end = rest.indexOf(')')
  if (input.length > 2_000 || !/^[a-z][a-z0-9_-]{0,40}$/.test(label) || !rest.startsWith('(') || end < 0)
    return undefined
  const components = rest.slice(1, end).split(' ')
  const parts = rest.slice(end + 1).split(';')
  const isPlain = parts.every((part, at) =>
    at === 0 ? part === '' : /^[a-z]{1,20}=("[^"\\]{0,200}"|\d{1,15})$/.test(part),
  )
  const keyId = parts.find((part) => part.startsWith('keyid="'))?.slice(7, -1)
  if (!isPlain || keyId === undefined || !components.every((name) => /^"[@a-z-]{1,40}"$/.test(name))) return undefined
  return { label, parameters: rest, components: components.map((name) => name.slice(1, -1)), keyId }
}

function signatureOf(header: string, label: string): Buffer | undefined {
  const member = header
    .slice(0, 2_000)
    .split(',')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${label}=:`))
  const encoded = member?.slice(label.length + 2, -1)
  return encoded && member?.endsWith(':') ? Buffer.from(encoded, 'base64') : undefined
}

/** What a signature of this request has to cover. */
function requiredComponents({ url, headers, body }: SignedRequest): string[] {
  const sent = ['ucp-agent', 'idempotency-key', 'webhook-id', 'webhook-timestamp']
  return [
    '@method',
    '@authority',
    '@path',
    ...(url.search === '' ? [] : ['@query']),
    ...sent.filter((name) => headers[name] !== undefined),
    ...(body ? ['content-digest', 'content-type'] : []),
  ]
}

/** Undefined if it names something the request does not have. */
function signatureBase(
  { method, url, headers }: SignedRequest,
  components: readonly string[],
  parameters: string,
): string | undefined {
  const derived: Readonly<Record<string, string>> = {
    '@method': method.toUpperCase(),
    '@authority': url.host,
    '@path': url.pathname,
    '@query': url.search === '' ? '?' : url.search,
  }
  const lines: string[] = []
  for (const name of components) {
    const value = name.startsWith('@') ? derived[name] : headers[name]?.trim()
    if (value === undefined) return undefined
    lines.push(`"${name}": ${value}`)
  }
  return [...lines, `"@signature-params": ${parameters}`].join('\n')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

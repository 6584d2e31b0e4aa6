/**
 * Calls to Google's APIs as a service account, with a token for an hour from a signed assertion (RFC 7523):
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
import { importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import { requestIdHeader } from '#platform/request-scope.ts'

/** The fields of a service account's key file that a client needs. */
export type ServiceAccount = { clientEmail: string; privateKeyId: string; privateKey: string; tokenUrl: string }

export type GoogleAnswer = { status: number; body: unknown; retryAfter: string | null }

export type GoogleClient = {
  /** Sends a request and returns the answer with any status. Throws without an answer. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<GoogleAnswer>
}

const timeoutMs = 10_000
const maxAnswerBytes = 20_000_000
const assertionSeconds = 3_600
/** A token is renewed this long before it expires. */
const tokenMarginSeconds = 60

const tokenForm = z.object({ access_token: z.string().min(1).max(10_000), expires_in: z.number().positive() })

export function createGoogleClient(options: {
  apiOrigin: string
  scope: string
  account: ServiceAccount
  clock: Clock
}): GoogleClient {
  const { apiOrigin } = options
  const tokens = cacheToken(options)
  async function attempt(method: string, path: string, body: object | undefined): Promise<GoogleAnswer> {
    const response = await fetch(apiOrigin + path, {
      method,
      headers: {
        ...requestIdHeader(),
        accept: 'application/json',
        authorization: `Bearer ${await tokens.current()}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return answerOf(response)
  }
  return {
    async send(method, path, body) {
      const first = await attempt(method, path, body)
      if (first.status !== 401) return first
      // The token was revoked before it expired.
      tokens.forget()
      return attempt(method, path, body)
    },
  }
}

/** A token is requested once for concurrent calls. */
function cacheToken({ account, scope, clock }: { account: ServiceAccount; scope: string; clock: Clock }) {
  let cached: { token: Promise<string>; until: Temporal.Instant } | undefined

  async function request(at: Temporal.Instant): Promise<{ token: string; seconds: number }> {
    const issuedAt = Math.floor(at.epochMilliseconds / 1_000)
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: account.privateKeyId })
      .setIssuer(account.clientEmail)
      .setAudience(account.tokenUrl)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + assertionSeconds)
      .sign(await importPKCS8(account.privateKey, 'RS256'))
    const response = await fetch(account.tokenUrl, {
      method: 'POST',
      headers: requestIdHeader(),
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status, body } = await answerOf(response)
    if (status !== 200) throw new Error(`Google refused the service account’s key: ${status} ${JSON.stringify(body)}`)
    const { access_token: token, expires_in: seconds } = tokenForm.parse(body)
    return { token, seconds }
  }

  return {
    current(): Promise<string> {
      const at = clock.now()
      if (cached && Temporal.Instant.compare(at, cached.until) < 0) return cached.token
      const own = { token: Promise.resolve(''), until: at.add({ milliseconds: timeoutMs }) }
      own.token = request(at).then(
        ({ token, seconds }) => {
          own.until = at.add({ seconds: Math.max(0, Math.floor(seconds) - tokenMarginSeconds) })
          return token
        },
        (error: unknown) => {
          if (cached === own) cached = undefined
          throw error
        },
      )
      cached = own
      return own.token
    },
    forget(): void {
      cached = undefined
    },
  }
}

async function answerOf(response: Response): Promise<GoogleAnswer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxAnswerBytes) throw new Error('Google’s answer is too long.')
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: response.status, body: parsed(text), retryAfter: response.headers.get('retry-after') }
}

/** Proxies in between answer in HTML. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, 200)
  }
}

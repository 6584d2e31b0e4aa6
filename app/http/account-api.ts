/**
 * The calls of the specification about who is signed in, for programs that run in the page: JSON in and out, authorized by the session's cookie,
 * which the program never sees. Every failure has one shape: code, message, statusCode, data.
 */
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { cleanText } from '#app/http/form.ts'
import { safePath } from '#app/http/safe-redirect.ts'
import { readVisitor } from '#app/http/visitor.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import {
  findSession,
  forgetSearches,
  keepForAccount,
  listSearches,
  personalize,
  readPersonalization,
  type Personalization,
} from '#domain/accounts/accounts.server.ts'
import { findPlace } from '#domain/places/places.server.ts'
import { badZipMessage } from '#domain/places/places.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import type { Shop } from '#shop'

type Env = { Variables: { signedIn: SignedIn } }
type Code = 'BadRequest' | 'Unauthorized' | 'Forbidden' | 'ServerError'
const statuses = { BadRequest: 400, Unauthorized: 401, Forbidden: 403, ServerError: 500 } as const

const maxBytes = 4_096

const personalizationBody = z.object({
  userLocationZip: z
    .string(badZipMessage)
    .regex(/^\d{5}$/, badZipMessage)
    .optional(),
  gaClientId: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'gaClientId is letters, digits, dots and dashes, up to 64')
    .optional(),
})

const text = z.string().transform((value) => cleanText(value).trim())
const searchBody = z.object({
  label: text.pipe(z.string().min(1, 'label is missing').max(60, 'label has up to 60 characters')),
  path: z
    .string()
    .max(200)
    .refine((path) => safePath(path, '') === path, 'path is a path of this store'),
})

/** The calls, to be mounted under /api. */
export function createAccountApi(shop: Shop): Hono<Env> {
  const { config, db, log } = shop
  const app = new Hono<Env>()

  app.onError((error, c) => {
    log.error({ err: error, path: c.req.path }, 'an API call failed')
    const isAway = isDatabaseUnavailable(error)
    return c.json(
      {
        code: 'ServerError',
        message: isAway ? 'The store is busy. Try again in a moment.' : 'Oops, something went wrong!',
        statusCode: isAway ? 503 : 500,
        data: null,
      },
      isAway ? 503 : 500,
    )
  })

  const authorize: MiddlewareHandler<Env> = async (c, next) => {
    c.header('cache-control', 'private, no-store')
    c.header('x-content-type-options', 'nosniff')
    // Browsers name the page's origin with every call that changes something.
    const origin = c.req.header('origin')
    if (origin !== undefined && origin !== config.web.origin) return fail(c, 'Forbidden', 'This call came from another site.')
    const { session } = readVisitor(c.req.header('cookie') ?? null, config.session.secret, '')
    const signedIn = session === undefined ? undefined : await findSession(shop, session)
    if (!signedIn) return fail(c, 'Unauthorized', 'Sign in first.')
    c.set('signedIn', signedIn)
    return next()
  }
  const limit = bodyLimit({ maxSize: maxBytes, onError: (c: Context<Env>) => fail(c, 'BadRequest', 'This body is too large.') })
  for (const path of ['/users/*', '/user-details']) app.use(path, authorize, limit)

  app.put('/users/me/personalization', async (c) => {
    const body = await readBody(c, personalizationBody)
    if (!body.ok) return body.response
    const { userLocationZip: zip, gaClientId } = body.value
    if (zip !== undefined && !(await findPlace(db, zip))) return fail(c, 'BadRequest', badZipMessage, { userLocationZip: badZipMessage })
    return c.json(personalizationView(await personalize(shop, c.get('signedIn').accountId, { zip, gaClientId })))
  })

  app.get('/users/me/history/search', async (c) => {
    const searches = await listSearches(shop, c.get('signedIn').accountId)
    return c.json(searches.map(({ label, path, searchedAt }) => ({ label, path, searchedAt: searchedAt.toString() })))
  })
  app.post('/users/me/history/search', async (c) => {
    const body = await readBody(c, searchBody)
    if (!body.ok) return body.response
    await keepForAccount(shop, c.get('signedIn').accountId, { searches: [body.value] })
    return c.json(body.value, 201)
  })
  app.delete('/users/me/history/search', async (c) => {
    await forgetSearches(shop, c.get('signedIn').accountId)
    return c.body(null, 204)
  })

  app.get('/users/session', async (c) => {
    const { sessionId, accountId } = c.get('signedIn')
    const regionId = c.req.query('regionId')
    if (regionId !== undefined && !/^[\w-]{1,40}$/.test(regionId)) return fail(c, 'BadRequest', 'regionId is letters, digits and dashes, up to 40.')
    return c.json({
      userSessionId: sessionId,
      userPersonalization: personalizationView(await readPersonalization(shop, accountId)),
      regionId: regionId ?? null,
    })
  })

  app.get('/user-details', (c) => c.json({ uid: c.get('signedIn').accountId }))
  return app
}

function personalizationView({ zip, gaClientId }: Personalization) {
  return { userLocation: zip === null ? null : { zip }, userLocationZip: zip, gaClientId }
}

/** A form of another site can send text, but not JSON under its own name: that alone keeps such forms out where a browser names no origin. */
async function readBody<Schema extends z.ZodType>(
  c: Context<Env>,
  schema: Schema,
): Promise<{ ok: true; value: z.output<Schema> } | { ok: false; response: Response }> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) return { ok: false, response: fail(c, 'BadRequest', 'The body must be JSON.') }
  const body: unknown = await c.req.json().catch(() => undefined)
  const checked = schema.safeParse(body)
  if (checked.success) return { ok: true, value: checked.data }
  const faults = Object.fromEntries(checked.error.issues.map(({ path, message }) => [path.join('.') || 'body', message]))
  return { ok: false, response: fail(c, 'BadRequest', Object.values(faults)[0] ?? 'The body is not of its form.', faults) }
}

function fail(c: Context<Env>, code: Code, message: string, data: Record<string, string> | null = null): Response {
  return c.json({ code, message, statusCode: statuses[code], data }, statuses[code])
}

import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { errors } from 'oidc-provider'
import type { Mailbox } from '../mail/mailbox.ts'
import { isBasicOf } from '../signature.ts'
import type { Store } from '../store.ts'
import { codeSeconds, createOneTap } from './google.ts'
import { createInteractions, type NodeBindings } from './interactions.ts'
import { openMemory } from './memory.ts'
import { failurePage } from './pages.ts'
import { openPeople, type Person } from './people.ts'
import { createProfile } from './profile.ts'
import { createProvider, type IdentitySettings } from './provider.ts'

/** The demo's sign-in service under /identity, an OpenID Connect provider with separate pages and users. */
export function createIdentity(
  settings: IdentitySettings,
  { store, mailbox, now }: { store: Store; mailbox: Mailbox; now: () => Temporal.Instant },
) {
  const { issuer, storeOrigin } = settings
  const { host, protocol, pathname: mount } = new URL(issuer)
  const people = openPeople(store, now, settings)
  const memory = openMemory(store, now)
  const provider = createProvider(settings, store, memory, people)
  const oneTap = createOneTap(settings, { store, people, now })
  const answer = provider.callback()
  let demo: Promise<void> | undefined

  /** Sends the mail that verifies an address. */
  async function announce(person: Person): Promise<void> {
    const link = `${issuer}/verify-email/${people.newVerification(person)}`
    await mailbox.deliver({
      from: 'accounts@sidewall.example',
      to: [person.email],
      source: new TextEncoder().encode(verificationMail(person.email, link)),
    })
  }

  const app = new Hono<NodeBindings>()
  app.use(async (c, next) => {
    await (demo ??= people.addDemoPeople())
    // Its URLs come from configuration, whatever forwarded headers a proxy or client sent.
    Object.assign(c.env.incoming.headers, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    })
    await next()
  })
  app.onError(async (error, c) => {
    if (!(error instanceof errors.SessionNotFound)) throw error
    return c.html(await failurePage('This sign-in is over, or was started in another window', storeOrigin), 400)
  })

  // The specification's entry points; both redirect to authorize-client.
  for (const action of ['login', 'register'] as const) {
    app.get(`/${action}`, (c) => {
      const query = new URLSearchParams(c.req.query())
      query.set('action', action)
      if (action === 'register') query.set('prompt', 'create')
      return c.redirect(`${mount}/authorize-client?${query.toString()}`, 303)
    })
  }
  app.route('/interaction', createInteractions(provider, people, { announce, oneTap: oneTap.redeem }))
  // The store exchanges a credential for a one-time code; the browser brings the code and continues like any sign-in.
  app.post('/verify-google-token', async (c) => {
    if (!isBasicOf(c.req.header('authorization'), settings.clientId, settings.clientSecret))
      return c.json({ error: 'invalid_client' }, 401)
    const credential = (await c.req.parseBody())['credential']
    const code = typeof credential === 'string' ? await oneTap.verify(credential) : undefined
    return code ? c.json({ jwt_token: code, expires_in: codeSeconds }) : c.json({ error: 'invalid_token' }, 400)
  })
  app.get('/verify-google-token', (c) => {
    const query = new URLSearchParams(c.req.query())
    // Anyone already signed in here is not the person who chose one tap.
    query.set('prompt', 'login')
    return c.redirect(`${mount}/authorize-client?${query.toString()}`, 303)
  })
  app.route('/google', oneTap.app)
  app.route('/', createProfile(provider, people, storeOrigin, announce))
  app.all('*', async (c) => {
    const { incoming, outgoing } = c.env
    // `oidc-provider` writes its own responses, so the sandbox's common headers are set beforehand.
    for (const [name, value] of c.res.headers) outgoing.setHeader(name, value)
    // `oidc-provider` expects to be mounted at the root; it derives the public prefix from `originalUrl`.
    Object.assign(incoming, { originalUrl: incoming.url, url: incoming.url?.slice(mount.length) || '/' })
    await answer(incoming, outgoing)
    return RESPONSE_ALREADY_SENT
  })
  return {
    app,
    forget(instant: Temporal.Instant): void {
      memory.forget(instant)
      oneTap.forget(instant)
    },
  }
}

/** The raw message. */
function verificationMail(email: string, link: string): string {
  return [
    'From: Sidewall accounts <accounts@sidewall.example>',
    `To: ${email}`,
    'Subject: Verify your email',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Open this link to show that ${email} is yours:`,
    '',
    link,
    '',
  ].join('\r\n')
}

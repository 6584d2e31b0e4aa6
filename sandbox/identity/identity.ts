import { timingSafeEqual } from 'node:crypto'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { errors } from 'oidc-provider'
import type { Mailbox } from '../mail/mailbox.ts'
import type { Store } from '../store.ts'
import { codeSeconds, createOneTap } from './google.ts'
import { createInteractions, type NodeBindings } from './interactions.ts'
import { openMemory } from './memory.ts'
import { failurePage } from './pages.ts'
import { openPeople, type Person } from './people.ts'
import { createProfile } from './profile.ts'
import { createProvider, type IdentitySettings } from './provider.ts'

/**
 * The sign-in service of the demo under /identity: an OpenID Connect provider with its pages, over people of its own.
 */
export function createIdentity(
  settings: IdentitySettings,
  { store, mailbox, now }: { store: Store; mailbox: Mailbox; now: () => Temporal.Instant },
) {
  const { issuer, storeOrigin } = settings
  const { host, protocol, pathname: mount } = new URL(issuer)
  const people = openPeople(store, now)
  const memory = openMemory(store, now)
  const provider = createProvider(settings, store, memory, people)
  const oneTap = createOneTap(settings, { store, people, now })
  const answer = provider.callback()
  let demo: Promise<void> | undefined

  /** The mail with which somebody shows that an address is theirs. */
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
    // Its addresses are those it is configured with, whatever a proxy or a stranger wrote.
    Object.assign(c.env.incoming.headers, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    })
    await next()
  })
  app.onError(async (error, c) => {
    if (!(error instanceof errors.SessionNotFound)) throw error
    return c.html(await failurePage('This sign-in is over, or was begun in another window', storeOrigin), 400)
  })

  // Where the specification sends people; both go on as a request to authorize-client.
  for (const action of ['login', 'register'] as const) {
    app.get(`/${action}`, (c) => {
      const query = new URLSearchParams(c.req.query())
      query.set('action', action)
      if (action === 'register') query.set('prompt', 'create')
      return c.redirect(`${mount}/authorize-client?${query.toString()}`, 303)
    })
  }
  app.route('/interaction', createInteractions(provider, people, { announce, oneTap: oneTap.redeem }))
  // The store hands over a credential and gets a one-time code; the browser brings the code, and goes on as in any
  // sign-in.
  app.post('/verify-google-token', async (c) => {
    if (!isStore(c.req.header('authorization'), settings)) return c.json({ error: 'invalid_client' }, 401)
    const credential = (await c.req.parseBody())['credential']
    const code = typeof credential === 'string' ? await oneTap.verify(credential) : undefined
    return code ? c.json({ jwt_token: code, expires_in: codeSeconds }) : c.json({ error: 'invalid_token' }, 400)
  })
  app.get('/verify-google-token', (c) => {
    const query = new URLSearchParams(c.req.query())
    // Whoever is signed in here already is not who pressed.
    query.set('prompt', 'login')
    return c.redirect(`${mount}/authorize-client?${query.toString()}`, 303)
  })
  app.route('/google', oneTap.app)
  app.route('/', createProfile(provider, people, storeOrigin, announce))
  app.all('*', async (c) => {
    const { incoming, outgoing } = c.env
    // `oidc-provider` writes its answers itself, so what the sandbox says of every page is put there beforehand.
    for (const [name, value] of c.res.headers) outgoing.setHeader(name, value)
    // It stands at the root of its own world, and knows the way outside by what is cut off here.
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

/** As it goes over the wire. */
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

function isStore(authorization: string | undefined, { clientId, clientSecret }: IdentitySettings): boolean {
  const expected = Buffer.from(`Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`)
  const given = Buffer.from(authorization ?? '')
  return expected.length === given.length && timingSafeEqual(expected, given)
}

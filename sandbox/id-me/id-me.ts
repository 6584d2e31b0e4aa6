import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import Provider, { errors, type Adapter, type Configuration, type JWK } from 'oidc-provider'
import { formFields } from '../body.ts'
import { openMemory } from '../identity/memory.ts'
import { shopperPage, type Html } from '../pages/layout.ts'
import type { Store } from '../store.ts'
import { idMePeople } from './people.ts'

export type IdMeSettings = {
  /** `<origin of the sandbox>/id-me/oidc` */
  issuer: string
  clientId: string
  clientSecret: string
  storeOrigin: string
}

type Bindings = { Bindings: HttpBindings }
const scope = 'openid military'

/**
 * A stand-in for ID.me under /id-me: OpenID Connect with the code flow and PKCE, where a visitor chooses who they are,
 * and `attributes.json` with the status of that person, as ID.me answers it.
 */
export function createIdMeStandIn(
  settings: IdMeSettings,
  { store, now }: { store: Store; now: () => Temporal.Instant },
) {
  const { issuer, storeOrigin } = settings
  const { host, protocol, pathname: mount } = new URL(issuer)
  const memory = openMemory(store, now)
  const provider = createProvider(settings, store, memory)
  const answer = provider.callback()

  const app = new Hono<Bindings>()
  app.use(async (c, next) => {
    // Its addresses come from configuration, whatever forwarded headers a proxy or client sent.
    Object.assign(c.env.incoming.headers, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    })
    await next()
  })
  app.onError(async (error, c) => {
    if (!(error instanceof errors.SessionNotFound)) throw error
    return c.html(await failurePage('This verification is over, or was started in another window', storeOrigin), 400)
  })
  app.get('/api/public/v3/attributes.json', async (c) => {
    const [, bearer = ''] = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
    const token = bearer === '' ? undefined : await provider.AccessToken.find(bearer)
    const person = token?.scope?.split(' ').includes('military')
      ? idMePeople.find(({ id }) => id === token.accountId)
      : undefined
    if (!person) return c.json({ error: 'unauthorized', error_description: 'The access token is not valid' }, 401)
    const [firstName = '', lastName = ''] = person.name.split(' ')
    return c.json({
      attributes: [
        { handle: 'fname', name: 'First Name', value: firstName },
        { handle: 'lname', name: 'Last Name', value: lastName },
        { handle: 'uuid', name: 'Unique Identifier', value: person.id },
      ],
      status: person.status,
    })
  })
  app.get('/oidc/interaction/:uid', async (c) =>
    (await isUnderWay(provider, c)) ? c.html(choicePage(c.req.param('uid'))) : c.notFound(),
  )
  app.post('/oidc/interaction/:uid', async (c) => {
    if (!(await isUnderWay(provider, c))) return c.notFound()
    const named = (await formFields(c)).get('person')
    const person = idMePeople.find(({ id }) => id === named)
    const result = person
      ? { login: { accountId: person.id } }
      : { error: 'access_denied', error_description: 'The resource owner or authorization server denied the request.' }
    const { incoming, outgoing } = c.env
    return c.redirect(await provider.interactionResult(incoming, outgoing, result), 303)
  })
  app.all('/oidc/*', async (c) => {
    const { incoming, outgoing } = c.env
    // `oidc-provider` writes its own responses, so the sandbox's common headers are set beforehand.
    for (const [name, value] of c.res.headers) outgoing.setHeader(name, value)
    // `oidc-provider` expects to be mounted at the root; it derives the public prefix from `originalUrl`.
    Object.assign(incoming, { originalUrl: incoming.url, url: incoming.url?.slice(mount.length) || '/' })
    await answer(incoming, outgoing)
    return RESPONSE_ALREADY_SENT
  })
  return { app, forget: memory.forget }
}

async function isUnderWay(provider: Provider, c: Context<Bindings>): Promise<boolean> {
  const { incoming, outgoing } = c.env
  return (await provider.interactionDetails(incoming, outgoing)).uid === c.req.param('uid')
}

function createProvider(
  { issuer, clientId, clientSecret, storeOrigin }: IdMeSettings,
  store: Store,
  memory: ReturnType<typeof openMemory>,
): Provider {
  const keys = ownKeys(store)
  const configuration: Configuration = {
    adapter: (kind) => (kind === 'Session' ? forgetful(memory.adapterFor(kind)) : memory.adapterFor(kind)),
    expiresWithSession: async () => false,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        client_name: 'Sidewall',
        redirect_uris: [`${storeOrigin}/military/callback`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: 'RS256',
      },
    ],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    jwks: { keys: [keys.signing] },
    cookies: {
      names: { session: 'idme_session', interaction: 'idme_interaction', resume: 'idme_resume' },
      keys: [keys.cookie],
      long: { httpOnly: true, sameSite: 'lax', path: new URL(issuer).pathname },
    },
    claims: { openid: ['sub'] },
    scopes: scope.split(' '),
    clientBasedCORS: () => false,
    features: { devInteractions: { enabled: false } },
    findAccount: async (_ctx, id) =>
      idMePeople.some((person) => person.id === id) ? { accountId: id, claims: async () => ({ sub: id }) } : undefined,
    interactions: { url: (_ctx, interaction) => `${issuer}/interaction/${interaction.uid}` },
    // Choosing who one is allows the store to see the status.
    async loadExistingGrant(ctx) {
      const { client, provider, session } = ctx.oidc
      if (!client || !session) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(scope)
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    async renderError(ctx, out) {
      ctx.type = 'html'
      ctx.body = await failurePage(out.error_description ?? out.error, storeOrigin)
    },
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 1_800, Session: 600 },
  }
  const provider = new Provider(issuer, configuration)
  // The stand-in sets both forwarded headers itself.
  provider.proxy = true
  return provider
}

/** Doesn't store sessions, so each verification requires a new sign-in. */
function forgetful(adapter: Adapter): Adapter {
  return { ...adapter, upsert: async () => {}, find: async () => undefined, findByUid: async () => undefined }
}

function choicePage(uid: string): Html {
  return shopperPage(
    'Verify your status',
    html`<h1>Verify your military status</h1>
      <p class="muted">
        This plays ID.me. There, you would sign in and show who you are; here, choose a person. The store learns only
        the status.
      </p>
      <form method="post" action="/id-me/oidc/interaction/${uid}" class="fields">
        ${idMePeople.map(
          ({ id, name, words }) =>
            html`<button class="button wide" name="person" value="${id}">${name}<br /><small>${words}</small></button>`,
        )}
        <button class="link" name="cancel" value="1">Cancel</button>
      </form>`,
    'page',
  )
}

async function failurePage(words: string, storeOrigin: string): Promise<string> {
  return String(
    await shopperPage(
      'Not verified',
      html`<h1>This did not work</h1>
        <p>${words}.</p>
        <p><a href="${storeOrigin}/military/verify">Go back to the store</a></p>`,
      'page',
    ),
  )
}

type Keys = { signing: JWK; cookie: string }

/** Generated once and stored, so that answers survive a restart. */
function ownKeys(store: Store): Keys {
  const kept = store.collection<Keys>('id-me-keys')
  const known = kept.get('own')
  if (known) return known
  const keys: Keys = {
    signing: { ...signingKeyOfProcess(), kid: 'id-me', use: 'sig', alg: 'RS256' },
    cookie: randomBytes(32).toString('base64url'),
  }
  kept.put('own', keys)
  return keys
}

let signingKey: JWK | undefined

/** The sandboxes of one process share a key because generating one takes up to half a second of CPU time. */
function signingKeyOfProcess(): JWK {
  signingKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as JWK
  return signingKey
}

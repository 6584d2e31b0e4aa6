import { generateKeyPairSync } from 'node:crypto'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { createRemoteJWKSet, errors, importJWK, jwtVerify, SignJWT, type JWK } from 'jose'
import { formFields } from '../body.ts'
import { newId } from '../ids.ts'
import { shopperPage, type Html } from '../pages/layout.ts'
import type { Store } from '../store.ts'
import { type DemoPerson, type People, type Person } from './people.ts'

/** Lifetime of the one-time code for a verified credential. */
export const codeSeconds = 60
const credentialSeconds = 300
/** The store's client ID at the Google stand-in. */
const audience = 'sidewall-one-tap'
const algorithm = 'ES256'

type Code = { personId: string; until: string }

/**
 * One tap: a stand-in for Google's frame, which signs credentials, and the provider's part, which verifies them against
 * the published keys and issues a one-time code for each. Only the code ever appears in a URL.
 */
export function createOneTap(
  { issuer, storeOrigin }: { issuer: string; storeOrigin: string },
  { store, people, now }: { store: Store; people: People; now: () => Temporal.Instant },
) {
  const codes = store.collection<Code>('one-tap-code')
  const keys = ownKeys(store)
  const published = createRemoteJWKSet(new URL(`${issuer}/google/jwks`))
  const google = `${issuer}/google`
  // The others demonstrate prices.
  const offered = people.demo.slice(0, 2)

  async function credentialFor({ email, name }: { email: string; name: string }): Promise<string> {
    const issuedAt = Math.floor(now().epochMilliseconds / 1000)
    return new SignJWT({ email, email_verified: true, name })
      .setProtectedHeader({ alg: algorithm, kid: keys.public.kid ?? '' })
      .setIssuer(google)
      .setAudience(audience)
      .setSubject(`google ${email}`)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + credentialSeconds)
      .sign(await importJWK(keys.private, algorithm))
  }

  const app = new Hono()
  app.get('/jwks', (c) => c.json({ keys: [keys.public] }))
  app.get('/one-tap.js', (c) => c.body(script, 200, { 'content-type': 'text/javascript; charset=utf-8' }))
  app.get('/one-tap', (c) =>
    c.html(people.demo.length === 0 ? answerPage(storeOrigin, { closed: '1' }) : choicePage(offered)),
  )
  app.post('/one-tap', async (c) => {
    const email = (await formFields(c)).get('email')
    const person = people.demo.find((each) => each.email === email)
    return c.html(
      person
        ? answerPage(storeOrigin, { credential: await credentialFor(person) })
        : answerPage(storeOrigin, { closed: '1' }),
    )
  })

  return {
    app,
    /** Returns a one-time code for a credential, or undefined if it is badly signed, for another store, or expired. */
    async verify(credential: string): Promise<string | undefined> {
      try {
        const { payload } = await jwtVerify(credential, published, {
          issuer: google,
          audience,
          algorithms: [algorithm],
          currentDate: new Date(now().epochMilliseconds),
        })
        const { email, name } = payload
        if (typeof email !== 'string' || payload['email_verified'] !== true) return undefined
        const person = await people.enterByProof({ email, name: typeof name === 'string' ? name : email })
        const code = newId('', 32)
        const until = now().add({ seconds: codeSeconds })
        codes.put(code, { personId: person.id, until: until.toString() }, until)
        return code
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
    /** Returns the code's owner; a code works once. */
    redeem(code: string): Person | undefined {
      const kept = codes.get(code)
      codes.remove(code)
      if (!kept || Temporal.Instant.compare(now(), Temporal.Instant.from(kept.until)) >= 0) return undefined
      return people.get(kept.personId)
    },
    forget(instant: Temporal.Instant): void {
      for (let due = codes.nextDue(instant); due; due = codes.nextDue(instant)) codes.remove(due.id)
    },
  }
}

function choicePage(offered: readonly DemoPerson[]): Html {
  return shopperPage(
    'One tap',
    html`<h1>Go on with one tap</h1>
      <form method="post" class="fields">
        ${offered.map(({ email, name }) => html`<button class="button wide" name="email" value="${email}">Go on as ${name}</button>`)}
        <button class="link" name="close" value="1">Not now</button>
      </form>`,
    'frame',
  )
}

/** Sends the choice to the store's page and to no other origin. */
function answerPage(storeOrigin: string, said: { credential: string } | { closed: string }): Html {
  const [[name, value] = ['closed', '1']] = Object.entries(said)
  return shopperPage(
    'One tap',
    html`<p id="one-tap" data-origin="${storeOrigin}" data-type="${name}" data-value="${value}">One moment.</p>
      <script src="/identity/google/one-tap.js" defer></script>`,
    'frame',
  )
}

/**
 * Messages to the parent: { from: 'sidewall-one-tap', type: 'credential', value } with a signed credential, or type
 * 'closed' if the shopper dismisses it.
 */
const script = `{
  const { origin, type, value } = document.getElementById('one-tap').dataset
  parent.postMessage({ from: 'sidewall-one-tap', type, value }, origin)
}
`

type Keys = { private: JWK; public: JWK }

function ownKeys(store: Store): Keys {
  const kept = store.collection<Keys>('google-keys')
  const known = kept.get('own')
  if (known) return known
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys: Keys = {
    private: privateKey.export({ format: 'jwk' }),
    public: { ...(publicKey.export({ format: 'jwk' }) as JWK), kid: newId('', 8), use: 'sig', alg: algorithm },
  }
  kept.put('own', keys)
  return keys
}

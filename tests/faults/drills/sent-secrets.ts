/**
 * The secrets that the store only sends, with how to set each here and at the sandbox, and whether the provider accepts
 * it.
 */
import { randomBytes } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { createCxmlSuppliers } from '#adapters/suppliers/cxml.ts'

/** Where the sandbox listens. */
type At = { origin: string; smtpPort: number }

type SentSecret = {
  /** Whether the provider takes the old one and the new one for a while, or one at any time. */
  takes: 'two' | 'one'
  /** The variable in which the sandbox has it. */
  its: string
  make(): string
  /** The store's settings with it. */
  settings(secret: string, at: At): Record<string, string>
  isTaken(secret: string, at: At): Promise<boolean>
}

const fresh = () => randomBytes(32).toString('hex')

/** By the setting that is replaced. */
const sentSecrets: Readonly<Record<string, SentSecret>> = {
  STRIPE_SECRET_KEY: {
    takes: 'two',
    its: 'SANDBOX_STRIPE_KEY',
    make: () => `sk_test_${fresh()}`,
    settings: (secret) => ({ STRIPE_SECRET_KEY: secret }),
    isTaken: (secret, { origin }) =>
      isOpen(`${origin}/v1/balance_transactions`, { headers: { authorization: `Bearer ${secret}` } }),
  },
  EASYPOST_API_KEY: {
    takes: 'two',
    its: 'SANDBOX_EASYPOST_KEY',
    make: () => `EZTK${fresh()}`,
    settings: (secret) => ({ EASYPOST_API_KEY: secret }),
    isTaken: (secret, { origin }) => isOpen(`${origin}/v2/shipments/none`, { headers: basic(secret, '') }),
  },
  PAYPAL_CLIENT_SECRET: {
    takes: 'two',
    its: 'SANDBOX_PAYPAL_CLIENT_SECRET',
    make: fresh,
    settings: (secret, { origin }) => ({
      PAYPAL_CLIENT_ID: 'sidewall-demo-paypal-client',
      PAYPAL_CLIENT_SECRET: secret,
      PAYPAL_WEBHOOK_ID: '8PT597110X687430LKGECATA',
      PAYPAL_API_ORIGIN: `${origin}/paypal`,
    }),
    isTaken: (secret, { origin }) =>
      isOpen(`${origin}/paypal/v1/oauth2/token`, granting(basic('sidewall-demo-paypal-client', secret))),
  },
  FINANCING_CLIENT_SECRET: {
    takes: 'two',
    its: 'SANDBOX_FINANCING_CLIENT_SECRET',
    make: fresh,
    settings: (secret) => ({ FINANCING_CLIENT_SECRET: secret }),
    isTaken: (secret, { origin }) => isOpen(`${origin}/financing/token`, granting(basic('sidewall', secret))),
  },
  // A project has one secret. A second project replaces it, with a new key and secret.
  FEDEX_SECRET_KEY: {
    takes: 'two',
    its: 'SANDBOX_FEDEX_PROJECTS',
    make: () => `l7${randomBytes(16).toString('hex')}:${fresh()}`,
    settings: (secret, { origin }) => {
      const [key = '', own = ''] = secret.split(':')
      return { FEDEX_API_KEY: key, FEDEX_SECRET_KEY: own, FEDEX_API_ORIGIN: origin }
    },
    isTaken: (secret, { origin }) => {
      const [key = '', own = ''] = secret.split(':')
      return isOpen(`${origin}/oauth/token`, granting({}, { client_id: key, client_secret: own }))
    },
  },
  CARSXE_API_KEY: {
    takes: 'one',
    its: 'SANDBOX_CARSXE_KEY',
    make: fresh,
    settings: (secret, { origin }) => ({ CARSXE_API_KEY: secret, CARSXE_API_ORIGIN: origin }),
    isTaken: (secret, { origin }) =>
      isOpen(
        `${origin}/v2/platedecoder?${new URLSearchParams({ key: secret, plate: 'CRV2019', state: 'IL' }).toString()}`,
        {},
      ),
  },
  WHEEL_SIZE_API_KEY: {
    takes: 'one',
    its: 'SANDBOX_WHEEL_SIZE_KEY',
    make: fresh,
    settings: (secret, { origin }) => ({ WHEEL_SIZE_API_KEY: secret, WHEEL_SIZE_API_ORIGIN: origin }),
    isTaken: (secret, { origin }) => {
      const asked = { user_key: secret, make: 'mazda', model: 'cx-5', year: '2020', region: 'usdm' }
      return isOpen(`${origin}/v2/search/by_model/?${new URLSearchParams(asked).toString()}`, {})
    },
  },
  OIDC_CLIENT_SECRET: {
    takes: 'two',
    its: 'SANDBOX_IDENTITY_CLIENT_SECRET',
    make: fresh,
    settings: (secret, { origin }) => ({
      OIDC_ISSUER: `${origin}/identity`,
      OIDC_CLIENT_ID: 'sidewall',
      OIDC_CLIENT_SECRET: secret,
    }),
    isTaken: (secret, { origin }) => isOpen(`${origin}/identity/token`, granting(basic('sidewall', secret))),
  },
  // A second user of the mail server replaces the first.
  SMTP_URL: {
    takes: 'two',
    its: 'SANDBOX_SMTP_LOGINS',
    make: () => `store-${randomBytes(4).toString('hex')}:${fresh()}`,
    settings: (login, { smtpPort }) => ({ SMTP_URL: `smtp://${login}@localhost:${smtpPort}` }),
    async isTaken(login, { smtpPort }) {
      const [user = '', pass = ''] = login.split(':')
      const server = createTransport({ host: 'localhost', port: smtpPort, auth: { user, pass } })
      try {
        return await server.verify()
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EAUTH') return false
        throw error
      } finally {
        server.close()
      }
    },
  },
  RESOLVE_SECRET_KEY: {
    takes: 'one',
    its: 'SANDBOX_RESOLVE_SECRET_KEY',
    make: fresh,
    settings: (secret) => ({ RESOLVE_SECRET_KEY: secret }),
    isTaken: (secret, { origin }) => isOpen(`${origin}/resolve/api/orders`, { headers: basic('sidewall', secret) }),
  },
  ID_ME_CLIENT_SECRET: {
    takes: 'one',
    its: 'SANDBOX_ID_ME_CLIENT_SECRET',
    make: fresh,
    settings: (secret, { origin }) => ({
      ID_ME_ISSUER: `${origin}/id-me/oidc`,
      ID_ME_CLIENT_ID: 'sidewall-military',
      ID_ME_CLIENT_SECRET: secret,
    }),
    isTaken: (secret, { origin }) => isOpen(`${origin}/id-me/oidc/token`, granting(basic('sidewall-military', secret))),
  },
  SUPPLIER_CXML_SECRET: {
    takes: 'one',
    its: 'SANDBOX_SUPPLIER_SECRET',
    make: fresh,
    settings: (secret) => ({ SUPPLIER_CXML_SECRET: secret }),
    isTaken: withdrawsUnknown,
  },
}

/** Returns each secret's old and new value, and what the sandbox accepts. */
export function secretsToSend(at: At) {
  const all = Object.entries(sentSecrets).map(([name, one]) => ({ name, ...one, old: one.make(), next: one.make() }))
  const of = { all, two: all.filter(({ takes }) => takes === 'two'), one: all.filter(({ takes }) => takes === 'one') }
  const namesOf = (ones: typeof all) => ones.map(({ name }) => name)
  const taken = async (which: 'old' | 'next') => {
    const answers = await Promise.all(all.map(async (one) => ((await one.isTaken(one[which], at)) ? [one] : [])))
    return namesOf(answers.flat())
  }
  return {
    names: { all: namesOf(of.all), two: namesOf(of.two) },
    /** The store's settings with the old or the new ones, but for those that are left out. */
    settings(who: keyof typeof of, which: 'old' | 'next', leftOut: readonly string[] = []): Record<string, string> {
      const ones = of[who].filter(({ name }) => !leftOut.includes(name))
      return Object.fromEntries(ones.flatMap((one) => Object.entries(one.settings(one[which], at))))
    },
    /** Returns the sandbox's settings, with both secrets if the provider allows two, until the old one is removed. */
    atProviders(which: 'old' | 'new'): Record<string, string> {
      const before = ({ takes, old, next }: (typeof all)[number]) => (takes === 'two' ? `${old},${next}` : old)
      return Object.fromEntries(all.map((one) => [one.its, which === 'old' ? before(one) : one.next]))
    },
    /** Returns the settings with an old or new secret that the provider accepts. */
    taken: async () => ({ old: await taken('old'), next: await taken('next') }),
  }
}

/** Whether the answer is any but that the caller is not known. */
async function isOpen(address: string, init: RequestInit): Promise<boolean> {
  const answer = await fetch(address, init)
  await answer.body?.cancel()
  if (answer.status >= 500) throw new Error(`${address}: ${answer.status}`)
  return answer.status !== 401
}

/** Requests a token. An identity provider also checks the client before refusing this grant. */
function granting(headers: Record<string, string>, fields: Record<string, string> = {}): RequestInit {
  return { method: 'POST', headers, body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }) }
}

function basic(user: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

/** The network checks the secret before it reports an unknown order. */
async function withdrawsUnknown(secret: string, { origin }: At): Promise<boolean> {
  const network = createCxmlSuppliers(
    { url: `${origin}/cxml`, identity: 'SIDEWALL-DEMO', secret, callbackSecret: fresh(), isTest: true },
    {
      store: { name: 'Sidewall', address: '100 Sample Street, Chicago, IL 60601' },
      outgoing: createOutgoing({ trustedOrigin: null }),
    },
  )
  const reply = await network.withdraw({
    number: 'PO-0',
    payloadId: 'PO-0@nobody',
    networkId: 'GREATLAKES',
    own: null,
    isWhole: true,
    note: null,
    at: Temporal.Now.instant(),
    shipTo: { name: 'Nobody', street: '1 Oak Ave', city: 'Chicago', state: 'IL', zip: '60614', phone: '3125550100' },
    lines: [{ lineNo: 1, sku: 'NONE', part: null, name: 'None', quantity: 1, unitCents: 0 }],
  })
  return reply.ok || reply.reason === 'refused'
}

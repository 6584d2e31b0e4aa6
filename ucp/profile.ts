/**
 * The store's profile at /.well-known/ucp: its capabilities, endpoints, and signing keys. One release is current. An
 * older one has its own profile.
 */
import { serverPaths } from '#content/server-paths.ts'
import { versions, type Version } from '#ucp/context.ts'
import { signingKeyFrom, type SigningKey } from '#platform/http-signatures.ts'
import type { Application } from '#application'
import { acceptedSecrets } from '#platform/secrets.ts'

export const profilePath = serverPaths.agentProfile()
export const endpointPath = '/ucp'
export const sandboxHandlerId = 'sandbox-card'
/** The version of the store's extensions. */
export const extensionVersion = '2026-11-24'

type Capability = {
  name: string
  page: string
  schema: string
  extends?: string | readonly string[]
  config?: object
}

const checkout = 'dev.ucp.shopping.checkout'
const cart = 'dev.ucp.shopping.cart'
const search = 'dev.ucp.shopping.catalog.search'
const lookup = 'dev.ucp.shopping.catalog.lookup'
const order = 'dev.ucp.shopping.order'
const locationSearch = 'dev.ucp.common.location.search'
const locationLookup = 'dev.ucp.common.location.lookup'
export const capabilityNames = {
  checkout,
  cart,
  search,
  lookup,
  order,
  fulfillment: 'dev.ucp.shopping.fulfillment',
  discount: 'dev.ucp.shopping.discount',
  consent: 'dev.ucp.shopping.buyer_consent',
  locationSearch,
  locationLookup,
  linking: 'dev.ucp.common.identity_linking',
  loyalty: 'dev.ucp.common.loyalty',
} as const

const specified: readonly Capability[] = [
  { name: search, page: 'catalog/search', schema: 'catalog_search' },
  { name: lookup, page: 'catalog/lookup', schema: 'catalog_lookup' },
  { name: cart, page: 'cart', schema: 'cart' },
  { name: checkout, page: 'checkout', schema: 'checkout' },
  { name: order, page: 'order', schema: 'order' },
  { name: capabilityNames.fulfillment, page: 'fulfillment', schema: 'fulfillment', extends: checkout },
  { name: capabilityNames.discount, page: 'discount', schema: 'discount', extends: [checkout, cart] },
  { name: capabilityNames.consent, page: 'buyer-consent', schema: 'buyer_consent', extends: checkout },
]
const locations: readonly Capability[] = [
  { name: locationSearch, page: 'location/search', schema: 'location_search' },
  { name: locationLookup, page: 'location/lookup', schema: 'location_lookup' },
]

/** Linking is optional. Guests can use all capabilities, so no scope is required. */
const accounts: readonly Capability[] = [
  { name: capabilityNames.linking, page: 'identity-linking', schema: 'identity_linking', config: { scopes: {} } },
  { name: capabilityNames.loyalty, page: 'loyalty', schema: 'loyalty', extends: [cart, checkout] },
]

export type ExtensionName = 'fitment' | 'appointment' | 'sandbox_acceptance'

/** Returns the store's reversed domain, the namespace of our names. */
const authorityOf = (origin: string): string => new URL(origin).hostname.split('.').toReversed().join('.')

/** Returns the eligibility claim for the store's members. */
export const membershipClaim = (origin: string): string => `${authorityOf(origin)}.membership`

/** Returns our extensions' names under the store's domain, as the protocol requires. */
export function extensionNames(origin: string): Record<ExtensionName, string> {
  const authority = authorityOf(origin)
  return {
    fitment: `${authority}.shopping.fitment`,
    appointment: `${authority}.shopping.appointment`,
    sandbox_acceptance: `${authority}.shopping.sandbox_acceptance`,
  }
}

export type Offered = {
  version: string
  spec: string
  schema: string
  extends?: string | readonly string[]
  config?: object
}

/** The profile's inputs other than the release. */
export type Offering = {
  readonly origin: string
  /** Whether buyers have accounts here, which they can link. */
  readonly hasAccounts: boolean
  /** Whether the sandbox's own platform may buy here without a person, as in a demo. */
  readonly hasSandbox: boolean
}

export const offeringOf = ({ config, identity }: Pick<Application, 'config' | 'identity'>): Offering => ({
  origin: config.web.origin,
  hasAccounts: identity !== null,
  hasSandbox: config.agents.sandboxPlatform !== null,
})

/** Everything the store offers in a release, by name. */
export function offeredCapabilities(
  { origin, hasAccounts, hasSandbox }: Offering,
  version: Version,
): Map<string, Offered> {
  const own = extensionNames(origin)
  const ofAccounts = hasAccounts ? accounts : []
  const ofRelease = version === '2026-08-25' ? [...specified, ...locations, ...ofAccounts] : specified
  const extension = (name: ExtensionName, parents: readonly string[]): [string, Offered] => [
    own[name],
    {
      version: extensionVersion,
      spec: `${origin}/api/docs`,
      schema: origin + extensionSchemaPath(name),
      extends: parents,
    },
  ]
  return new Map([
    ...ofRelease.map(({ name, page, schema, ...rest }): [string, Offered] => {
      const area = name.startsWith('dev.ucp.common.') ? 'common' : 'shopping'
      return [
        name,
        {
          version,
          spec: `https://ucp.dev/${version}/specification/${page}`,
          schema: `https://ucp.dev/${version}/schemas/${area}/${schema}.json`,
          ...rest,
        },
      ]
    }),
    extension('fitment', [search, lookup, cart, checkout]),
    extension('appointment', [checkout, order]),
    ...(hasSandbox && version === versions[0] ? [extension('sandbox_acceptance', [checkout])] : []),
  ])
}

export function extensionSchemaPath(name: ExtensionName | 'sandbox_card'): string {
  return `${endpointPath}/schemas/${extensionVersion}/${name}.json`
}

/**
 * Returns the webhook keys. The first signs, and all are published, so that platforms know the next key before it signs
 * and can still verify recent messages after a rotation.
 */
export function signingKeys({ config }: Pick<Application, 'config'>): readonly [SigningKey, ...SigningKey[]] {
  const [first, ...others] = acceptedSecrets(config.session.secret)
  const keyOf = (secret: string) => signingKeyFrom(secret, 'ucp webhooks')
  return [keyOf(first), ...others.map(keyOf)]
}

/** Paying is a person's act on our pages until a provider grants a handler; in a demo there is the sandbox's. */
export function paymentHandlers({ config }: Pick<Application, 'config'>): object {
  if (config.agents.sandboxPlatform === null) return {}
  const { origin } = config.web
  return {
    [`${authorityOf(origin)}.payments.sandbox_card`]: [
      {
        id: sandboxHandlerId,
        version: extensionVersion,
        spec: `${origin}/api/docs`,
        schema: origin + extensionSchemaPath('sandbox_card'),
        available_instruments: [{ type: 'card' }],
      },
    ],
  }
}

/** A profile of one release; the current one names the others. */
export function profileOf(app: Pick<Application, 'config' | 'identity'>, version: Version): object {
  const { origin } = app.config.web
  const [current, ...older] = versions
  const keys = signingKeys(app).map(({ jwk }) => jwk)
  return {
    ucp: {
      version,
      ...(version === current && {
        supported_versions: Object.fromEntries(older.map((each) => [each, `${origin}${profilePath}/${each}`])),
      }),
      services: {
        'dev.ucp.shopping': [
          {
            version,
            transport: 'rest',
            endpoint: origin + endpointPath,
            spec: `https://ucp.dev/${version}/specification/overview`,
            schema: `https://ucp.dev/${version}/services/shopping/rest.openapi.json`,
          },
        ],
      },
      capabilities: Object.fromEntries(
        [...offeredCapabilities(offeringOf(app), version)].map(([name, it]) => [name, [it]]),
      ),
      payment_handlers: version === current ? paymentHandlers(app) : {},
    },
    // Each release reads its own name of the list.
    ...(version === '2026-04-08' ? { signing_keys: keys } : { keys }),
  }
}

import { createPublicKey } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { jwtVerify } from 'jose'
import { demoMerchant } from '#platform/merchant-demo-account.ts'
import { nameOf, type Merchant, type StoredProduct } from './merchant.ts'
import { isGtin, productInput } from './product-form.ts'

const scope = 'https://www.googleapis.com/auth/content'
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const account = `accounts/${demoMerchant.accountId}`
const dataSource = `${account}/dataSources/${demoMerchant.dataSourceId}`
const maxPageSize = 1_000

/** Google's token address for service accounts: https://developers.google.com/identity/protocols/oauth2/service-account */
export function createMerchantToken(merchant: Merchant, tokenUrl: string): Hono {
  const app = new Hono()
  const publicKey = createPublicKey(demoMerchant.key.privateKey)
  app.post('/', async (c) => {
    const fields = await c.req.parseBody()
    if (fields['grant_type'] !== grantType)
      return c.json({ error: 'unsupported_grant_type', error_description: 'Invalid grant_type' }, 400)
    const assertion = typeof fields['assertion'] === 'string' ? fields['assertion'] : ''
    const currentDate = new Date(merchant.now().epochMilliseconds)
    const verified = await jwtVerify(assertion, publicKey, {
      algorithms: ['RS256'],
      issuer: demoMerchant.key.clientEmail,
      audience: tokenUrl,
      currentDate,
      maxTokenAge: '1 hour',
      requiredClaims: ['exp', 'iat'],
    }).catch(() => undefined)
    if (!verified) return c.json({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, 400)
    if (verified.payload['scope'] !== scope)
      return c.json(
        { error: 'invalid_scope', error_description: 'Invalid OAuth scope or ID token audience provided.' },
        400,
      )
    const { token, seconds } = merchant.issueToken()
    return c.json({ access_token: token, expires_in: seconds, token_type: 'Bearer' })
  })
  return app
}

/** The Merchant API's products, as https://developers.google.com/merchant/api/reference/rest describes them. */
export function createMerchantApi(merchant: Merchant): Hono {
  const app = new Hono()
  const { products } = merchant

  app.use(async (c, next) => {
    const fault = merchant.takeFault()
    if (fault?.retryAfter) c.header('Retry-After', fault.retryAfter)
    if (fault?.status === 503) return refuse(c, 503, 'The service is currently unavailable.')
    if (fault?.status === 429)
      return refuse(c, 429, 'quota/request_rate_too_high: Quota exceeded for quota metric of the method.')
    const [, token = ''] = /^Bearer (\S{1,200})$/.exec(c.req.header('authorization') ?? '') ?? []
    if (fault?.status === 401 || !merchant.isTokenGood(token))
      return refuse(c, 401, 'Request had invalid authentication credentials.')
    return next()
  })
  app.use('/accounts/:account/*', async (c: Context, next) => {
    if (c.req.param('account') === demoMerchant.accountId) return next()
    return refuse(c, 403, 'The caller does not have permission to access the account.', 'PERMISSION_DENIED_ACCOUNTS')
  })

  app.post('/accounts/:account/:method{productInputs:insert}', async (c) => {
    if (c.req.query('dataSource') !== dataSource) return refuse(c, 404, '[dataSource] The data source was not found.')
    const parsed = productInput.safeParse(await c.req.json().catch(() => undefined))
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return refuse(
        c,
        400,
        `[${issue?.path.join('.') ?? 'product_input'}] ${issue?.message ?? 'Invalid JSON payload.'}`,
      )
    }
    const { productAttributes: attributes, name: _name, ...input } = parsed.data
    const wrong = attributes.gtins?.find((gtin) => !isGtin(gtin))
    if (wrong !== undefined)
      return refuse(c, 400, `[product_attributes.gtins] Invalid GTIN: ${wrong}`, 'INVALID_VALUE_GTIN')
    const now = merchant.now().toString()
    const before = products.get(nameOf(input))
    const stored = { createdAt: now, disapproval: null, ...before, ...input, attributes, updatedAt: now }
    products.put(nameOf(input), stored)
    return c.json(inputView(stored))
  })

  app.delete('/accounts/:account/productInputs/:product', (c) => {
    if (c.req.query('dataSource') !== dataSource) return refuse(c, 404, '[dataSource] The data source was not found.')
    const name = plainName(c.req.param('product'))
    if (!products.get(name)) return refuse(c, 404, '[name] The product input was not found.')
    products.remove(name)
    return c.json({})
  })

  app.get('/accounts/:account/products', (c) => {
    const pageSize = Math.min(Math.max(Number(c.req.query('pageSize') ?? 25) || 25, 1), maxPageSize)
    const pageToken = c.req.query('pageToken')
    const found = products.list({ limit: pageSize + 1, ...(pageToken && { before: plainName(pageToken) }) })
    const shown = found.slice(0, pageSize)
    const last = shown.at(-1)
    return c.json({
      products: shown.map(productView),
      ...(found.length > pageSize && last && { nextPageToken: encodedName(nameOf(last)) }),
    })
  })

  app.get('/accounts/:account/products/:product', (c) => {
    const found = products.get(plainName(c.req.param('product')))
    return found ? c.json(productView(found)) : refuse(c, 404, '[name] The product was not found.')
  })
  app.notFound((c) => refuse(c, 404, 'Not found.'))
  return app
}

function encodedName(name: string): string {
  return Buffer.from(name).toString('base64url')
}

/** A name has tildes, or else is encoded. */
function plainName(name: string): string {
  return name.includes('~') ? name : Buffer.from(name, 'base64url').toString()
}

function namesOf(product: StoredProduct, kind: 'products' | 'productInputs') {
  const name = nameOf(product)
  return { name: `${account}/${kind}/${name}`, base64EncodedName: `${account}/${kind}/${encodedName(name)}` }
}

function inputView(product: StoredProduct): object {
  const { offerId, contentLanguage, feedLabel, attributes } = product
  const { name, base64EncodedName } = namesOf(product, 'products')
  return {
    ...namesOf(product, 'productInputs'),
    product: name,
    base64EncodedProduct: base64EncodedName,
    offerId,
    contentLanguage,
    feedLabel,
    productAttributes: attributes,
  }
}

const days = (from: string, count: number) =>
  Temporal.Instant.from(from)
    .add({ hours: 24 * count })
    .toString()

function productView(product: StoredProduct): object {
  const { offerId, contentLanguage, feedLabel, attributes, createdAt, updatedAt } = product
  const issue = issueOf(product)
  const contexts = ['SHOPPING_ADS', 'FREE_LISTINGS'] as const
  return {
    ...namesOf(product, 'products'),
    offerId,
    contentLanguage,
    feedLabel,
    dataSource,
    productAttributes: attributes,
    productStatus: {
      destinationStatuses: contexts.map((reportingContext) => ({
        reportingContext,
        [issue ? 'disapprovedCountries' : 'approvedCountries']: ['US'],
      })),
      ...(issue && {
        itemLevelIssues: contexts.map((reportingContext) => ({
          ...issue,
          severity: 'DISAPPROVED',
          resolution: 'merchant_action',
          reportingContext,
          applicableCountries: ['US'],
        })),
      }),
      creationDate: createdAt,
      lastUpdateDate: updatedAt,
      googleExpirationDate: days(updatedAt, 30),
    },
  }
}

/** One product in a hundred is disapproved, and those that the board disapproves. */
function issueOf({ offerId, disapproval }: StoredProduct): object | undefined {
  if (disapproval !== null)
    return { code: 'policy_violation', description: disapproval, detail: 'Disapproved on the sandbox’s board.' }
  if (Number(offerId) % 100 !== 0) return undefined
  return {
    code: 'image_link_broken',
    attribute: 'image link',
    description: 'Invalid image [image link]',
    detail: 'Replace the image with one that meets the requirements.',
    documentation: 'https://support.google.com/merchants/answer/6324350',
  }
}

const statuses = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
} as const

/** An error as https://developers.google.com/merchant/api/guides/error-handling describes it. */
function refuse(c: Context, code: keyof typeof statuses, message: string, reason: string = statuses[code]): Response {
  return c.json(
    {
      error: {
        code,
        message,
        status: statuses[code],
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason,
            domain: 'merchantapi.googleapis.com',
            metadata: { REASON: reason },
          },
        ],
      },
    },
    code,
  )
}

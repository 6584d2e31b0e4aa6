/** The checks every page request passes before anything is read for it. */
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { AppRequest } from '#app/server/app-request.ts'
import { plainErrorPage } from '#app/server/plain-error-page.ts'
import { supportMessages } from '#content/messages/support.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { oversizedPart } from '#http/large-headers.ts'
import { refuseOthers } from '#http/same-site.ts'
import { securityHeaders } from '#http/security.ts'
import { addressOf } from '#http/client-address.ts'
import { readVisitor, type Visitor } from '#http/visitor.ts'
import type { Config } from '#platform/config.ts'
import type { Application } from '#application'

type Step = MiddlewareHandler<AppRequest>

const methods = new Set(['GET', 'HEAD', 'POST'])
const maxFormBytes = 64 * 1024
/**
 * Forms that take a file of up to 1 MB. The limit is set far above that so that the page itself can say that a photo is
 * too large.
 */
const fileForms = new Set(
  [
    paths.contact(),
    paths.companyExemptions(),
    paths.priceGuarantee(),
    serverPaths.coverageClaim(),
    serverPaths.companyFleetQuotes(),
    portalPaths.installerSignup(),
    '/track-your-order/return',
    officePaths.officeSettings(),
    officePaths.officeRecalls(),
    officePaths.officeSalesTax(),
    officePaths.officeTaxesImport(),
    officePaths.officeCouponsImport(),
    officePaths.officeRebatesImport(),
    officePaths.officeShopsImport(),
  ].flatMap((path) => [path, `${path}.data`]),
)
/** A returned tire with the photo for a refusal. */
const inspectionForm = /^\/office\/returns\/\d{1,12}(?:\.data)?$/
/** A price list, with the file of a new version. */
const priceListForm = /^\/office\/price-lists\/[a-z0-9-]{1,60}(?:\.data)?$/
/** Brand logos, model photos, and tire photos. */
const catalogForm = /^\/office\/catalog\/(?:brands|lines|items)\/\d{1,9}(?:\.data)?$/
/** A shop's job with the photo of damaged tires. */
const jobForm = /^\/portal\/SW-\d{1,9}\/jobs\/[0-9a-f-]{36}(?:\.data)?$/
/** A shop's payouts, with the photo for a dispute. */
const payForm = /^\/portal\/SW-\d{1,9}\/pay(?:\.data)?$/
/** A recall, with a file of more ranges. */
const recallPage = /^\/office\/recalls\/\d\dT-\d{3}(?:\.data)?$/
/** A shop's own store, with its logo. */
const storeForm = /^\/portal\/SW-\d{1,9}\/store(?:\.data)?$/
/** A dispute, with a file of staff's. */
const disputeForm = /^\/office\/disputes\/D-\d{1,15}(?:\.data)?$/
/** Redirects, with a file of them. */
const redirectsForm = /^\/office\/redirects\/edit(?:\.data)?$/
const formsWithFile = [
  redirectsForm,
  disputeForm,
  recallPage,
  inspectionForm,
  priceListForm,
  catalogForm,
  jobForm,
  payForm,
  storeForm,
]
const takesFiles = (path: string) => fileForms.has(path) || formsWithFile.some((form) => form.test(path))
const maxFileFormBytes = 8 * 1024 * 1024

/** The headers of a response that React does not render. */
export function plainHeaders(config: Config): Record<string, string> {
  return { ...securityHeaders(config, null), 'cache-control': 'no-store' }
}

/**
 * Rejects requests our pages never make, such as a long URL (414), oversized headers (431), another method (405), or a
 * malformed URL (400).
 */
export function refuseOddRequests(config: Config): Step {
  return async (c, next) => {
    const oversized = oversizedPart(c.req.raw)
    if (oversized !== null) {
      const status = oversized === 'address' ? 414 : 431
      return c.html(plainErrorPage(config, status), status, plainHeaders(config))
    }
    if (!methods.has(c.req.method))
      return c.html(plainErrorPage(config, 405), 405, { ...plainHeaders(config), allow: [...methods].join(', ') })
    // PostgreSQL text can't contain null bytes, an invalid escape decodes to an empty value, and a line break is lost
    // when a URL is resolved. All are rejected before a query or the router sees them.
    if (isBrokenAddress(c.req.raw.url)) return c.html(plainErrorPage(config, 400), 400, plainHeaders(config))
    return next()
  }
}

/** Rejects bodies larger than any of our forms with 413, above 64 kB, or 8 MB where a file may be attached. */
export function limitBodies(config: Config): Step {
  // The rest of an oversized body is not read, so its connection cannot carry another request.
  const onError = (c: Context) =>
    c.html(plainErrorPage(config, 413, takesFiles(c.req.path) ? { line: supportMessages.tooLarge } : {}), 413, {
      ...plainHeaders(config),
      connection: 'close',
    })
  const formLimit = limitUnannounced(bodyLimit({ maxSize: maxFormBytes, onError }))
  const fileFormLimit = limitUnannounced(bodyLimit({ maxSize: maxFileFormBytes, onError }))
  return (c, next) => (takesFiles(c.req.path) ? fileFormLimit(c, next) : formLimit(c, next))
}

/** Rejects forms posted from another site with 403. */
export function refuseForeignForms({ config, log }: Pick<Application, 'config' | 'log'>): Step {
  const ownForms = refuseOthers(config.web.origin, async (c) => {
    log.warn({ path: c.req.path, origin: c.req.header('origin')?.slice(0, 100) }, 'a form came from elsewhere')
    return c.html(plainErrorPage(config, 403), 403, plainHeaders(config))
  })
  // Mail programs post here; the address itself carries the permission, and no cookie counts.
  return (c, next) => (c.req.path === paths.stopMails() ? next() : ownForms(c, next))
}

/** Parses the visitor and body; rejects a truncated body with 400. */
export function readRequest(config: Config): Step {
  return async (c, next) => {
    c.set('visitor', visitorOf(c, config))
    // The body is read in full, because it is small, and streaming it costs more than all other processing.
    const body = c.req.method === 'POST' ? await c.req.arrayBuffer().catch(() => undefined) : null
    if (body === undefined) return c.html(plainErrorPage(config, 400), 400, plainHeaders(config))
    c.set('body', body)
    return next()
  }
}

/** Reads who sent a request. */
export function visitorOf(c: Context<AppRequest>, config: Config): Visitor {
  const address = addressOf(c, config)
  return readVisitor(c.req.header('cookie') ?? null, config.session.secret, address, config.web.isSecure)
}

/**
 * Skips bodies with a declared length, because checking them would create an unused web stream. A request without a
 * length that is not chunked has no body.
 */
function limitUnannounced(limit: Step): Step {
  return (c, next) => {
    const isAnnounced =
      c.req.header('transfer-encoding') === undefined && Number(c.req.header('content-length') ?? 0) <= maxFormBytes
    return isAnnounced ? next() : limit(c, next)
  }
}

function isBrokenAddress(url: string): boolean {
  if (url.includes('%00')) return true
  try {
    return /\p{Cc}/u.test(decodeURIComponent(new URL(url).pathname))
  } catch {
    return true
  }
}

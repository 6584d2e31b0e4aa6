/**
 * Adds tires to the cart without React Router, which would take longer than the database. A refusal writes no data; the
 * cart page's action reads it from the context and displays it.
 */
import type { MiddlewareHandler } from 'hono'
import { addFromForm } from '#app/forms/cart-form.server.ts'
import { readForm } from '#app/forms/form.ts'
import { keepInAccount, readSessionOnce, rememberedHeaders } from '#app/server/account-memory.server.ts'
import type { AppRequest } from '#app/server/app-request.ts'
import { leaveForNextPage, measuredBy } from '#app/server/measure.ts'
import { isPlainForm, readFields } from '#http/fields.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { securityHeaders } from '#http/security.ts'
import { applicationFor } from '#http/application-for.ts'
import type { Application } from '#application'

/** Handles posts that add to the cart. Those that change it carry an `intent` and go on to the cart page. */
export function addToCartPosts(app: Application): MiddlewareHandler<AppRequest> {
  const { config } = app
  return async (c, next) => {
    const fields = await fieldsOf(c.req.raw, c.get('body'))
    if (!fields || fields.has('intent')) return next()
    const visitor = c.get('visitor')
    const readSignedIn = readSessionOnce(app, visitor)
    const events = measuredBy(config, c.req.raw)
    const added = await addFromForm(await applicationFor(app, visitor, readSignedIn), visitor, fields, events)
    if (!added.ok) {
      c.set('cartRefusal', added)
      return next()
    }
    const { path, remembered } = added.value
    if (visitor.session !== undefined) await keepInAccount(app, readSignedIn, [remembered])
    const answer = seeOther(path, rememberedHeaders(app, remembered))
    leaveForNextPage(config, events, c.req.raw, answer.headers)
    for (const [name, value] of Object.entries(securityHeaders(config, null))) answer.headers.set(name, value)
    answer.headers.set('cache-control', 'private, no-store')
    return answer
  }
}

/** Returns the posted fields, or undefined when the body is not a form; the page reports that. */
async function fieldsOf({ url, headers }: Request, body: ArrayBuffer | null): Promise<URLSearchParams | undefined> {
  if (isPlainForm(headers.get('content-type')))
    return readFields(new TextDecoder().decode(body ?? undefined)) ?? undefined
  const isForm = headers.get('content-type')?.startsWith('multipart/form-data') === true
  if (!isForm) return undefined
  return readForm(new Request(url, { method: 'POST', headers, body })).catch(() => undefined)
}

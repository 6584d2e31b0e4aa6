/**
 * Rules by which a browser requests the next page before a click (https://wicg.github.io/nav-speculation/). Once the
 * pointer rests on a link or presses it, a product page is rendered in the background and a list is requested. Browsers
 * skip this on slow connections, with data saving, and with little memory. Requesting these pages changes no data.
 */

import type { MiddlewareHandler } from 'hono'

/** Product pages, by brand and line, and by item. */
const products = ['/brands/:brand/:line', '/brands/:brand/:line/p', '/brands/:brand/:line/p/:item']
const lists = ['/', '/vehicles/*', '/tire-sizes/*', '/brands/*', '/types/*', '/categories/*', '/tire-deals/*']
/** Links that enter a shop's branded store set a cookie. */
const entersStore = String.raw`/*\?*(dealerCode|installerId)=*`
const forms = '/*/write-a-review'

const links = (addresses: readonly string[]) => ({
  and: [{ href_matches: addresses }, { not: { href_matches: [entersStore, forms] } }],
})

const rules = {
  prerender: [{ where: links(products), eagerness: 'moderate' }],
  prefetch: [{ where: links(lists), eagerness: 'moderate' }],
}

/** The rules as markup for the head of a shopper's page, marked with `nonce`. */
export function speculationMarkup(nonce: string): string {
  return `<script type="speculationrules" nonce="${nonce}">${JSON.stringify(rules)}</script>`
}

/** Whether a browser requests a page before a click. */
export function isAhead(purpose: string | undefined): boolean {
  return purpose?.startsWith('prefetch') === true
}

/** Discards the pages that a browser requested before a click, because a form changes data that they show. */
export const discardNextPages: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.set('clear-site-data', '"prefetchCache", "prerenderCache"')
}

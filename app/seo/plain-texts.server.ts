/** Short text files for programs and for security researchers. */
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { mcpPath } from '#mcp/messages.ts'
import { toolsOf } from '#mcp/tool-list.ts'
import { fillConstants } from '#app/content/constants.server.ts'
import { copyTerms } from '#app/content/copy-terms.server.ts'
import { isShippingFree } from '#domain/supply/delivery/delivery.ts'
import { shippingRatesOf } from '#domain/kernel/settings/settings.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import type { Config } from '#platform/config.ts'
import { countOf } from '#platform/count-text.ts'

/** What a tool needs, said behind its name. */
const asked = { anyone: '', cart: ' (with a cart key)', account: ' (with a token of the account’s owner)' } as const

/**
 * /llms.txt (llmstxt.org): what the store is, and how a program acting for a shopper finds what fits, what it costs and
 * which terms apply.
 */
export function llmsText({ web: { origin }, store, demo }: Config, { hasAccounts }: { hasAccounts: boolean }): string {
  const link = (label: string, path: string, what: string) => `- [${label}](${origin}${path}): ${what}`
  return `# ${store.name}

> Tires for cars, trucks and trailers in the United States, with installation booked at a shop nearby. Prices are per tire in US dollars; the price out the door, with installation, fees and tax, needs a five-digit ZIP code.
${demo ? '\nThis store is a demonstration: brands, shops, reviews and prices are samples, and no order is shipped.\n' : ''}
## Find tires

${[
  link(
    'By vehicle',
    '/find?year=2021&make=toyota&model=rav4',
    'parameters year, make, model, trim; leads to the listing of the vehicle',
  ),
  link(
    'By size',
    '/tire-sizes/225-65r17',
    'a size in small letters with hyphens; 225-65r17, lt275-70r18 and 35x12.50r17 are all read',
  ),
  link(
    'By words',
    '/search?q=2256517',
    'parameter q: a vehicle, a size in any format, a brand, a line or an article number',
  ),
  link('By brand', paths.brands(), 'every brand and its lines'),
  link('By type', paths.types(), 'all-season, winter, all-terrain and the others, with what each is for'),
  link(
    'Deals',
    paths.deals(),
    'what is on sale now and until when, and makers’ rebates, which are never part of a price',
  ),
].join('\n')}

Pages are HTML that reads without script, with schema.org data (JSON-LD) for products, prices, stock, shipping and returns. Parameter \`page\` pages a listing.

## Does it fit

A product page judges a tire for a vehicle axle by axle: fits, fits with conditions, unknown, or does not fit, with the rules behind it. A size list never replaces the label at the driver’s door, so a listed match is only called a fit once the label is confirmed.

## What it costs

The price of a tire is on its page and in the product feed. ${isShippingFree(shippingRatesOf(copyTerms())) ? 'Shipping is free in the 48 contiguous states.' : 'Shipping is added by ZIP code.'}${fillConstants('{{#if shippingFreeFrom}} Shipping is free {{shippingFreeFrom}}.{{/if}}', 'llms.txt')} A quote out the door comes from the product page with a ZIP code, or from the cart.

${link('Product feed', '/feeds/products.xml', 'every article in stock, with price, stock and shipping (RSS 2.0, Google product fields)')}

## Tools for agents

The server at ${origin}${mcpPath} speaks the Model Context Protocol (2026-07-28 without sessions, and 2025) and has these tools, whose answers are those of the pages. A person accepts terms and fitment conditions, signs in and pays: \`get_checkout_link\` makes the link for them. Platforms of the Universal Commerce Protocol find catalog, cart and checkout by ${origin}${serverPaths.agentProfile()}.

${toolsOf({ hasAccounts })
  .map(({ name, title, audience }) => `- \`${name}\`: ${title.toLowerCase()}${asked[audience]}`)
  .join('\n')}
${link('Shopping agents', serverPaths.agents(), 'what agents may do, what only a person may, limits, and how an agent is stopped')}
${link('API', paths.apiDocs(), 'the same as HTTP calls, and much more')}
${link('OpenAPI document', paths.apiDocument(), 'every call with its input and output')}

## What applies

- Orders can be canceled for ${countOf(copyTerms()['cancel-minutes'], 'minute')}; nothing is charged before.
- Unmounted tires can be returned within ${countOf(copyTerms()['return-days'], 'day')} of delivery.
${link('Questions and answers', paths.faqs(), 'what shoppers ask most')}
${link('Terms of sale', paths.termsOfSale(), 'payment, installation, returns, coverage, shipping')}
${link('Help center', `${paths.help()}?q=return`, 'parameter q: searches answers, policies, articles and tire words')}
${link('Returns and refunds', paths.written('returns-and-refunds'), 'what can come back, what it costs, when the money is back')}
${link('Track an order', paths.trackOrder(), 'by order number and ZIP code')}

## People

${store.email}, ${store.phone}, ${phoneHoursText(store.phoneHours).replaceAll(' · ', ', ')}
`
}

/** /.well-known/security.txt (RFC 9116). Expires half a year after it is read, so that no copy is trusted for long. */
export function securityText({ web: { origin }, store }: Config, now: Temporal.Instant): string {
  const expires = now.add({ hours: 180 * 24 }).round({ smallestUnit: 'hour', roundingMode: 'floor' })
  return `Contact: mailto:${store.email}\nExpires: ${expires.toString()}\nPreferred-Languages: en\nCanonical: ${origin}/.well-known/security.txt\n`
}

/** The web app manifest, with which the store can be added to a home screen (W3C Web App Manifest). */
export function manifestText({ store }: Config): string {
  return JSON.stringify({
    name: store.name,
    short_name: store.name,
    description: 'Find tires that fit, see the price installed near you, and book the shop.',
    start_url: '/',
    display: 'browser',
    background_color: '#faf8f4',
    theme_color: '#14161a',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
    ],
  })
}

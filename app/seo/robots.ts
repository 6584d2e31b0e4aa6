/** What crawlers are asked to leave alone (RFC 9309). */
import { paths } from '#content/paths.ts'

/**
 * Query parameters that make another page rather than another view of one. All others are left out of the crawl:
 * filters, orders, quantities.
 */
const pagesOfTheirOwn = ['page', 'rear']

/** Pages for one shopper, and answers for scripts. */
const notForCrawlers = [
  paths.cart(),
  '/checkout/',
  '/search',
  '/find$',
  '/find?',
  '/finder/',
  '/fitment/',
  '/zip',
  '/compare',
  '/account',
  '/sign-in',
  '/register',
  '/api/',
  `${paths.trackOrder()}/`,
  '/my_customers/',
  '/webhooks/',
  paths.stopMails(),
  '/*.data$',
  '/*.data?',
]

/**
 * robots.txt of a store that may be listed, or of one, like a demo, that may not: nobody should find shops and prices
 * there that do not exist.
 */
export function robotsText({ isListed, origin }: { isListed: boolean; origin: string }): string {
  if (!isListed) return 'User-agent: *\nDisallow: /\n'
  return [
    'User-agent: *',
    ...notForCrawlers.map((path) => `Disallow: ${path}`),
    'Disallow: /*?',
    ...pagesOfTheirOwn.map((name) => `Allow: /*?${name}=`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}

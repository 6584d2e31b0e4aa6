/** Paths that crawlers should skip (RFC 9309). */
import { paths } from '#content/paths.ts'

/**
 * Query parameters that lead to a different page and not to another view of the same one. All others, such as filters,
 * sorting, and quantities, are excluded from the crawl.
 */
const pagesOfTheirOwn = ['page', 'rear']

/** Pages for one shopper, and data for scripts. */
const notForCrawlers = [
  paths.cart(),
  '/carts/',
  '/checkout/',
  '/search',
  '/find$',
  '/find?',
  '/finder/',
  '/fitment/',
  '/zip',
  '/compare',
  '/account',
  '/military/',
  '/punchout/',
  '/office',
  '/portal',
  '/sign-in',
  '/register',
  '/api/',
  '/mcp',
  `${paths.trackOrder()}/`,
  '/my_customers/',
  '/webhooks/',
  paths.stopMails(),
  paths.emailPreferences(),
  '/*.data$',
  '/*.data?',
]

/**
 * Returns robots.txt. Disallows everything for stores that must not be listed, such as a demo with fictional shops and
 * prices.
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

/**
 * A document's modules load after its first paint, because on a slow connection they would compete with visible
 * content. The document works without them, since links and forms function
 * (docs/decisions/003-page-cache.md).
 */
import loader from '#app/ui/load-late.js?raw'

/** Without its comments and margins. */
const code = loader
  .split('\n')
  .map((line) => line.trim().replaceAll(/\/\*\* @type \{[^{}]{1,80}\} \*\/ /g, ''))
  .filter((line) => line !== '' && !/^(?:\/\/|\/?\*)/.test(line))
  .join('\n')
const module = /<script([^<>]*) type="module" async=""/
/** Pages used with script all day, or for payment, where modules load immediately. */
const atOnce = /^\/(?:office|portal|checkout|order-change|pay-again)(?:\/|$)/

/**
 * Removes the module script and its preloads from React's `html`, and adds the loader to its head, marked with `nonce`.
 * A document without modules, or for a page that needs them immediately, is unchanged.
 */
export function loadLate(html: string, pathname: string, nonce: string): string {
  if (atOnce.test(pathname) || !module.test(html)) return html
  return html
    .replace(module, '<script$1 type="text/late"')
    .replaceAll('<link rel="modulepreload"', '<link rel="late"')
    .replace('</head>', () => `<script nonce="${nonce}">${code}</script></head>`)
}

/**
 * The modules of a document come after its first paint: on a slow line they would take the bandwidth of what is looked
 * at. The document is whole without them: links lead on, forms are sent
 * (docs/decisions/080-kept-pages-and-late-scripts.md).
 */
import loader from '#app/ui/load-late.js?raw'

/** Without its comments and margins. */
const code = loader
  .split('\n')
  .map((line) => line.trim().replaceAll(/\/\*\* @type \{[^{}]{1,80}\} \*\/ /g, ''))
  .filter((line) => line !== '' && !/^(?:\/\/|\/?\*)/.test(line))
  .join('\n')
const module = /<script([^<>]*) type="module" async=""/
/** Where people work with script all day, or pay: there it comes at once. */
const atOnce = /^\/(?:office|portal|checkout|order-change|pay-again)(?:\/|$)/

/**
 * Takes the module script and its preloads out of `html` as React rendered it, and puts the loader into its head, marked
 * with `nonce`. A document without modules, or of a page that needs them at once, stays as it is.
 */
export function loadLate(html: string, pathname: string, nonce: string): string {
  if (atOnce.test(pathname) || !module.test(html)) return html
  return html
    .replace(module, '<script$1 type="text/late"')
    .replaceAll('<link rel="modulepreload"', '<link rel="late"')
    .replace('</head>', () => `<script nonce="${nonce}">${code}</script></head>`)
}

/**
 * A document's modules load after its first paint, because on a slow connection they would compete with visible
 * content. The document works without them, since links and forms function
 * (docs/decisions/003-page-cache.md).
 */
import { speculationMarkup } from '#app/server/speculation.ts'
import loader from '#app/ui/load-late.js?raw'

/** Without its comments and margins. */
const code = loader
  .split('\n')
  .map((line) => line.trim().replaceAll(/\/\*\* @type \{[^{}]{1,80}\} \*\/ /g, ''))
  .filter((line) => line !== '' && !/^(?:\/\/|\/?\*)/.test(line))
  .join('\n')
const moduleScript = ' type="module" async=""'
/** Pages to read and compare, which many visitors leave without using a control. */
const catalog =
  /^\/(?:$|(?:brands|categories|compare|find|tire-shops|tire-sizes|types|vehicles)(?:\/|$))(?!.*\/write-a-review$)/
/** Pages used with script all day, or for payment, where modules load immediately. */
const atOnce = /^\/(?:office|portal|checkout|order-change|pay-again)(?:\/|$)/

/** A document in two parts, so that edits of its head don't copy the much longer body. `body` begins with "</head>". */
export type DocumentParts = { head: string; body: string }

/**
 * Removes the module script from the body and its preloads from the head, which React rendered, and adds the loader
 * and the rules for next pages to the head, marked with `nonce`. A document without modules, or for a page that needs
 * them immediately, is unchanged.
 */
export function loadLate({ head, body }: DocumentParts, pathname: string, nonce: string): DocumentParts {
  const at = body.lastIndexOf(moduleScript)
  if (at === -1 || atOnce.test(pathname)) return { head, body }
  return {
    head: `${head.replaceAll('<link rel="modulepreload"', '<link rel="late"')}<script nonce="${nonce}"${catalog.test(pathname) ? ' data-catalog=""' : ''}>${code}</script>${speculationMarkup(nonce)}`,
    body: `${body.slice(0, at)} type="text/late"${body.slice(at + moduleScript.length)}`,
  }
}

/**
 * Renders documents to a string. No page defers data, and a string takes about 60% of the time of a stream
 * (docs/decisions/002-rendering.md). React Router passes the loaders' data as a stream that its <Scripts> would emit
 * chunk by chunk through Suspense. This code drains the stream and writes the framework's two calls. It reads
 * EntryContext.serverHandoffStream, so the react-router version is pinned, and a browser test checks hydration.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import {
  documentContext,
  serverRenderedContext,
  outageContext,
  applicationContext,
  structuredDataContext,
  visitorContext,
} from '#app/server/context.ts'
import { breadcrumbs, type StructuredData } from '#app/views/structured-data.server.ts'
import { loadLate } from '#app/server/late-scripts.ts'
import { measuredContext, measuredMarkup } from '#app/server/measure.ts'
import { ShownCrumbs, type Crumb } from '#app/ui/crumbs.tsx'
import { ServerRenderedParts } from '#app/ui/server-rendered.tsx'
import measureScript from '#app/ui/measure.js?url'
import styles from '#app/ui/styles/store.css?url'
import { isDatabaseUnavailable } from '#platform/db.ts'

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8')
  // Preloads the style sheet, the only dependency of the first paint.
  headers.append('Link', `<${styles}>; rel=preload; as=style`)
  const data = entry.serverHandoffStream ? await readAll(entry.serverHandoffStream) : []
  delete entry.serverHandoffStream

  // The nonce marks the scripts React wrote; a script injected through data would not have it, so the policy never
  // allows it.
  const nonce = randomBytes(18).toString('base64url')
  const crumbs: (readonly Crumb[])[] = []
  const page = pageTree(entry, context, { url: request.url, nonce, crumbs })
  const rendered = renderToString(page)
  const headEnd = Math.max(rendered.indexOf('</head>'), 0)
  const { head: plainHead, body } = loadLate(
    { head: rendered.slice(0, headEnd), body: rendered.slice(headEnd) },
    new URL(request.url).pathname,
    nonce,
  )
  // Gives preloaded modules a lower priority than the style sheet.
  let head = plainHead.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
  if (status === 200) {
    const { web, analytics } = context.get(applicationContext).config
    head += structuredMarkup([
      ...context.get(structuredDataContext),
      ...crumbs.map((way) => breadcrumbs(web.origin, way)),
    ])
    const events = context.get(measuredContext)
    if (analytics && events) head += measuredMarkup(analytics, events, measureScript)
  }
  const html = `<!DOCTYPE html>${head}${body.includes('__reactRouterContext') ? withData(body, data, nonce) : body}`
  // A document made for one visitor is never cached, so each gets a fresh nonce; a cacheable one allows its scripts by
  // hash.
  const document = context.get(visitorContext).isKnown
    ? { html, scriptSources: [`'nonce-${nonce}'`] }
    : hashScripts(html, nonce)
  context.set(documentContext, hasScript(html) ? document : { html: document.html, scriptSources: null })
  return new Response(null, { status, headers })
}

/** Returns the React tree of a page. `crumbs` collects its breadcrumbs. The benchmark renders the same tree. */
export function pageTree(
  entry: EntryContext,
  context: Readonly<RouterContextProvider>,
  { url, nonce, crumbs }: { url: string; nonce: string; crumbs: (readonly Crumb[])[] },
): ReactNode {
  return (
    <ShownCrumbs value={crumbs}>
      <ServerRenderedParts value={context.get(serverRenderedContext)}>
        <ServerRouter context={entry} url={url} nonce={nonce} />
      </ServerRenderedParts>
    </ShownCrumbs>
  )
}

/** Adds the loaders' data to the end of a document that a script takes over. */
function withData(body: string, data: readonly string[], nonce: string): string {
  const chunks = data
    .map((chunk) => `window.__reactRouterContext.streamController.enqueue(${escapeForScript(JSON.stringify(chunk))});`)
    .join('')
  const end = body.lastIndexOf('</body></html>')
  const script = `<script nonce="${nonce}">${chunks}window.__reactRouterContext.streamController.close();</script>`
  return body.slice(0, end) + script + body.slice(end)
}

/** Logs, once, an unexpected error from a loader, an action or a page. A visitor who left is not an error. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted) return
  if (isDatabaseUnavailable(error)) context.get(outageContext).isDatabaseAway = true
  context
    .get(applicationContext)
    .log.error({ err: error, method: request.method, path: new URL(request.url).pathname }, 'page failed')
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const decoder = new TextDecoder()
  const chunks: string[] = []
  for await (const bytes of stream) chunks.push(decoder.decode(bytes, { stream: true }))
  return chunks
}

/**
 * Replaces the nonce with the hash of each script's text. A nonce must be new for every response, which a cached
 * document cannot provide; a hash stays valid for the same bytes.
 */
function hashScripts(html: string, nonce: string): { html: string; scriptSources: string[] } {
  const mark = ` nonce="${nonce}"`
  const scriptSources: string[] = []
  const hashed = html.replace(
    /<script([^<>]*)>([^<]*(?:<(?!\/?script\b)[^<]*)*)<\/script>/g,
    (whole, attributes: string, text: string) => {
      if (!attributes.includes(mark)) return whole
      if (text) scriptSources.push(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
      return `<script${attributes.replace(mark, '')}>${text}</script>`
    },
  )
  return { html: hashed.replaceAll(mark, ''), scriptSources }
}

/** Whether a document contains anything for a browser to run; structured data is not code. */
function hasScript(html: string): boolean {
  return /<script(?! type="application\/ld\+json")[\s>]/.test(html)
}

/**
 * Returns the page's structured data for search engines as one block for its head. It is written here rather than
 * rendered by React, so the browser needs neither the objects nor the code that made them; React ignores elements in
 * the head that it did not render.
 */
function structuredMarkup(structuredData: readonly StructuredData[]): string {
  if (structuredData.length === 0) return ''
  const graph = escapeForScript(JSON.stringify({ '@context': 'https://schema.org', '@graph': structuredData }))
  return `<script type="application/ld+json">${graph}</script>`
}

const scriptEscapes: Record<string, string> = {
  '&': '\\u0026',
  '>': '\\u003e',
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

function escapeForScript(json: string): string {
  return json.replace(/[&><\u2028\u2029]/g, (character) => scriptEscapes[character] ?? character)
}

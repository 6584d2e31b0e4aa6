/**
 * Documents for guests without our cookies are identical, so they are cached and sent without rendering. The cache runs
 * before all other request handling. A cached document costs 0.04 ms of CPU, a rendered one 1.6. Concurrent requests
 * for a document render it once.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { answerWith, createKeptPages, type KeptPage } from '#app/server/kept-pages.ts'
import { optsOut } from '#http/consent.ts'
import { carriesIdentity, carriesSession } from '#http/visitor.ts'
import { hostNameOf, storeParameters } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { paths } from '#content/paths.ts'
import type { Clock } from '#platform/clock.ts'

export type PageCache = ReturnType<typeof createPageCache>

/**
 * Creates a cache of at most `maxBytes`. `serve` answers a request from it, or returns false; `keep` stores a response
 * that has `s-maxage`. `knownAddress` reduces an address to what its page reads, so that equivalent addresses share an
 * entry.
 */
export function createPageCache({
  clock,
  knownAddress,
  ownHost,
  maxBytes = 256 * 1024 * 1024,
}: {
  clock: Clock
  knownAddress: (address: string) => string
  /** The host of the store's own origin; requests with a shop's host name aren't served from here. */
  ownHost: string
  maxBytes?: number
}) {
  const pages = createKeptPages(maxBytes)
  const drawings = createDrawings(pages)
  const counts = { sent: 0, unchanged: 0, waited: 0 }

  /** Returns the cache key for a request; undefined if it can't be served from the cache. */
  function sharedKey(request: IncomingMessage): string | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    if (isOwnVisit(request) || isShopHost(request.headers.host, ownHost)) return undefined
    return pageKey(knownAddress(request.url ?? '/'), optsOut(request.headers['sec-gpc']))
  }

  function findFresh(key: string): KeptPage | undefined {
    const page = pages.find(key)
    return page && page.until > clock.now().epochMilliseconds ? page : undefined
  }

  return {
    /** How many requests were answered; counting is all this path can afford. */
    counts,
    /**
     * Serves `request` if its page is cached and the visitor has no personal data; otherwise calls `otherwise`. If the
     * page is being rendered, responds after that, because any other handling costs a millisecond each.
     */
    serve(request: IncomingMessage, response: ServerResponse, otherwise: () => void): void {
      const key = sharedKey(request)
      if (key === undefined) return otherwise()
      const page = findFresh(key)
      if (page) {
        if (request.headers['if-none-match'] === page.etag) counts.unchanged += 1
        else counts.sent += 1
        return sendPage(pages, [key, page], request, response)
      }
      const drawing = request.method === 'GET' ? drawings.wait(key) : undefined
      if (!drawing) return otherwise()
      void drawing.then((isKept) => {
        const drawn = isKept ? pages.find(key) : undefined
        if (!drawn) return otherwise()
        counts.waited += 1
        sendPage(pages, [key, drawn], request, response)
      })
    },

    /**
     * Renders a guest's document with `draw`, which caches it if it can be shared. If another request is already
     * rendering it, serves that request's cached result.
     */
    async once(key: string, accepted: string | null, draw: () => Promise<Response>): Promise<Response> {
      const drawing = drawings.wait(key)
      const page = drawing && (await drawing) ? pages.find(key) : undefined
      if (!page) return drawings.render(key, draw)
      counts.waited += 1
      return answerWith(pages.formFor(key, page, accepted))
    },

    /** Stores a guest's document under its `pageKey` for so many seconds, and answers its first reader. */
    async keep(
      key: string,
      {
        seconds,
        ...page
      }: {
        headers: Record<string, string>
        readings: readonly string[]
        document: string
        seconds: number
        accepted: string | null
      },
    ): Promise<Response> {
      const until = clock.now().epochMilliseconds + seconds * 1000
      const effort = drawings.isWaitedFor(key) ? 'kept' : 'once'
      return answerWith(await pages.add(key, { ...page, until, effort }))
    },

    size: pages.size,

    /** Invalidates pages that show a catalog query with a matching name. */
    forgetReadings(isOutdated: (name: string) => boolean): void {
      pages.forgetReadings(isOutdated)
    },

    clear(): void {
      pages.clear()
    },
  }
}

/** Answers with a kept page, or that the reader's copy is still right. */
function sendPage(
  pages: ReturnType<typeof createKeptPages>,
  [key, page]: [string, KeptPage],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.headers['if-none-match'] === page.etag) {
    pages.prove(key)
    response.writeHead(304, page.unchanged)
    response.end()
    return
  }
  const { headers, body } = pages.formFor(key, page, request.headers['accept-encoding'])
  response.writeHead(200, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * Deduplicates concurrent renderings. `draw` may cache its result under the key, and waiting requests use it, or render
 * if it wasn't cached.
 */
function createDrawings(pages: ReturnType<typeof createKeptPages>) {
  /** The documents being rendered for a guest. `isKept` resolves to true once one was kept. */
  const drawings = new Map<string, { isKept: Promise<boolean>; isWaitedFor: boolean }>()
  /** Keys of pages that can't be shared, so requests don't wait for them. */
  const unshared = new LRUCache<string, true>({ max: 10_000 })

  /** Renders, and removes the cached result if a change invalidated its data in between. */
  async function drawFresh(key: string, draw: () => Promise<Response>): Promise<Response> {
    const clearings = pages.clearings()
    const answer = await draw()
    if (pages.clearings() !== clearings) pages.forget(key)
    return answer
  }

  return {
    /**
     * Returns the rendering to wait for, which resolves to true once cached. Must be called synchronously, or two
     * renderings would start.
     */
    wait(key: string): Promise<boolean> | undefined {
      const drawing = unshared.has(key) ? undefined : drawings.get(key)
      if (drawing) drawing.isWaitedFor = true
      return drawing?.isKept
    },
    isWaitedFor: (key: string): boolean => drawings.get(key)?.isWaitedFor ?? false,
    async render(key: string, draw: () => Promise<Response>): Promise<Response> {
      if (drawings.has(key)) return drawFresh(key, draw)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      drawings.set(key, { isKept: promise, isWaitedFor: false })
      const [before, clearings] = [pages.find(key), pages.clearings()]
      let isKept = false
      try {
        const answer = await drawFresh(key, draw)
        const kept = pages.find(key)
        isKept = kept !== undefined && kept !== before
        // An invalidated or failed rendering doesn't indicate whether the page can be shared.
        if (isKept) unshared.delete(key)
        else if (pages.clearings() === clearings) unshared.set(key, true)
        return answer
      } finally {
        drawings.delete(key)
        resolve(isKept)
      }
    },
  }
}

/**
 * Whether an address returns the same to every visitor who is not signed in, whatever their cookies. An account may be
 * limited to some brands.
 */
export function isSameForAll(url: string): boolean {
  return url.startsWith(`${paths.suggestions()}?`)
}

/** Whether the visitor has something personal, or enters a branded store: then no kept page is the answer. */
function isOwnVisit({ url = '/', headers: { cookie } }: IncomingMessage): boolean {
  if ([...storeParameters, 'widgetId'].some((name) => url.includes(`${name}=`))) return true
  return carriesIdentity(cookie) && (carriesSession(cookie) || !isSameForAll(url))
}

/**
 * Returns whether a Host header may be a shop's own host name. IP addresses, single-label names and the store's own
 * host can't be, because proxies and health checks use them.
 */
export function isShopHost(host: string | undefined, ownHost: string): boolean {
  if (host === undefined || host === ownHost) return false
  const name = hostNameOf(host.replace(/:\d{1,5}$/, ''))
  return name !== undefined && name !== ownHost.replace(/:\d{1,5}$/, '')
}

/**
 * Returns a page's cache key from its URL as reduced by `knownAddress`. Visitors with Global Privacy Control get
 * separate pages, which state that and contain no analytics.
 */
export function pageKey(address: string, isOptedOut: boolean): string {
  return isOptedOut ? `${address} opted-out` : address
}

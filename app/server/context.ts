import type { ReactNode } from 'react'
import { createContext } from 'react-router'
import type { Shop } from '#shop'
import type { CartRefusal } from '#app/forms/cart-form.server.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import type { ScriptSources } from '#http/security.ts'
import type { StructuredData } from '#app/views/structured-data.server.ts'
import type { Visitor } from '#http/visitor.ts'
import type { PriceTier } from '#domain/price-tiers/price-tiers.ts'

/** The composed store: database, clock, providers. Set once per request by the web app. */
export const shopContext = createContext<Shop>()
/** Who sent this request, read from its cookies. */
export const visitorContext = createContext<Visitor>()
/** Reads the signed-in account at most once per request, and not at all without a session. */
export const signedInContext = createContext<() => Promise<SignedIn | undefined>>()
/** Reads the visitor's price tier at most once per request; without a session, `retailTerms` and no query. */
export const priceTierContext = createContext<() => Promise<PriceTier>>()
/** Why posted tires were not added to the cart; null when nothing was posted or all went well. */
export const cartRefusalContext = createContext<CartRefusal | null>(null)
/** Headers that a loader or an action sets on the response, overriding the page's own. */
export const answerHeadersContext = createContext<Headers>()
/** Set when a page failed because the database is down; the response then says to try again soon. */
export const outageContext = createContext<{ isDatabaseAway: boolean }>()
/**
 * Set by the renderer when the response is a page: the document and what the content security policy allows its inline
 * scripts by, their hashes or a nonce; null when there is no document. It bypasses the Response because React Router
 * reads that body, which would turn the text into a stream and back.
 */
export const documentContext = createContext<{ html: string; scriptSources: ScriptSources } | null>(null)
/** The route pattern of the page, such as `/vehicles/:make/:model`; request metrics are grouped by it. */
export const patternContext = createContext<string | null>(null)
/**
 * What this page tells search engines in schema.org terms: loaders add to it, and the renderer writes it into the
 * document. The browser never sees the objects, so they cost it no script and no data.
 */
export const structuredDataContext = createContext<StructuredData[]>()
/**
 * Parts of this page that only the server renders, by name: loaders render them, and `ServerRendered` in
 * app/ui/server-rendered.tsx places them. As above, the browser gets the HTML but no script or data for it.
 */
export const serverRenderedContext = createContext<Record<string, ReactNode>>()

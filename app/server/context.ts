import type { ReactNode } from 'react'
import { createContext } from 'react-router'
import type { Application } from '#application'
import type { CartRefusal } from '#app/forms/cart-form.server.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import type { ScriptSources } from '#http/security.ts'
import type { StructuredData } from '#app/views/structured-data.server.ts'
import type { Visitor } from '#http/visitor.ts'
import type { PriceTier } from '#domain/pricing/price-tiers/price-tiers.ts'

/** The composed app, with database, clock and providers. Set once per request by the web app. */
export const applicationContext = createContext<Application>()
/** Who sent this request, read from its cookies. */
export const visitorContext = createContext<Visitor>()
/** Reads the signed-in account at most once per request, and not at all without a session. */
export const signedInContext = createContext<() => Promise<SignedIn | undefined>>()
/** Reads the visitor's price tier at most once per request; without a session, `retailTerms` and no query. */
export const priceTierContext = createContext<() => Promise<PriceTier>>()
/** Why posted tires were not added to the cart; null without a post or on success. */
export const cartRefusalContext = createContext<CartRefusal | null>(null)
/** Headers that a loader or an action sets on the response, overriding the page's own. */
export const answerHeadersContext = createContext<Headers>()
/** Set when a page failed because the database is down, so that the response requests a retry soon. */
export const outageContext = createContext<{ isDatabaseAway: boolean }>()
/**
 * Set by the renderer for page responses, with the document and the hashes or nonce that the content security policy
 * allows its inline scripts by; null without a document. It bypasses the Response because React Router reads that body,
 * which would convert the text into a stream and back.
 */
export const documentContext = createContext<{ html: string; scriptSources: ScriptSources } | null>(null)
/** The route pattern of the page, such as `/vehicles/:make/:model`; request metrics are grouped by it. */
export const patternContext = createContext<string | null>(null)
/**
 * The page's schema.org data for search engines, which loaders add and the renderer writes into the document. The
 * objects aren't sent to the browser, so they add neither script nor data.
 */
export const structuredDataContext = createContext<StructuredData[]>()
/**
 * Parts of this page that only the server renders, by name. Loaders render them, and `ServerRendered` in
 * app/ui/server-rendered.tsx places them. As above, the browser gets the HTML without script or data.
 */
export const serverRenderedContext = createContext<Record<string, ReactNode>>()

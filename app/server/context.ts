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
/** Who is asking, read from the cookies of this request. */
export const visitorContext = createContext<Visitor>()
/** Who is signed in, asked of the database at most once per request, and not at all for who carries no session. */
export const signedInContext = createContext<() => Promise<SignedIn | undefined>>()
/**
 * On which terms the visitor buys, asked at most once per request; `retailTerms`, and nothing asked, for who carries no
 * session.
 */
export const priceTierContext = createContext<() => Promise<PriceTier>>()
/** Why tires that were posted to the cart are not in it; null where nothing was, or all went well. */
export const cartRefusalContext = createContext<CartRefusal | null>(null)
/** Headers that a loader or an action puts on the answer, whatever those of the page are. */
export const answerHeadersContext = createContext<Headers>()
/** Filled in when a page failed because the database is away: then the answer says to try again soon. */
export const outageContext = createContext<{ isDatabaseAway: boolean }>()
/**
 * Filled in by the renderer when the answer is a page: the document, and what the content security policy lets its
 * inline scripts run by, their hashes or a nonce; null where there is none. It is not handed over in the Response,
 * because React Router asks that one for its body, and the text would be made into a stream and back.
 */
export const documentContext = createContext<{ html: string; scriptSources: ScriptSources } | null>(null)
/** The pattern of the page that answers, as `/vehicles/:make/:model`: what requests are counted by. */
export const patternContext = createContext<string | null>(null)
/**
 * What this page is about, told to search engines in schema.org's words: loaders add to it, the renderer writes it into
 * the document. The browser never sees the objects, so they cost it no script and no data.
 */
export const structuredDataContext = createContext<StructuredData[]>()
/**
 * Parts of this page that only the server draws, by name: loaders draw them, `ServerRendered` in
 * app/ui/server-rendered.tsx says where they stand. As above, the browser gets the text on the page and no script or
 * data for it.
 */
export const serverRenderedContext = createContext<Record<string, ReactNode>>()

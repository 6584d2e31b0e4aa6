/**
 * The data that the store saves in a visitor's browser. It isn't trusted. Each value's format is checked, and values
 * that visitors must not write are signed. A request without any of it gets the shared document.
 */
import { createHmac } from 'node:crypto'
import { parse as parseCookie, serialize as stringifySetCookie } from 'hono/utils/cookie'
import { attemptMinutes, sessionSeconds } from '#domain/customers/accounts/accounts.ts'
import { dealerCodeOf, installerIdOf } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { codeAccessMinutes } from '#domain/ordering/orders/orders.ts'
import { portalSessionSeconds } from '#domain/installer-portal/portal/portal.ts'
import { referralLinkDays, widgetIdOf, widgetSourceOf, widgetVisitDays } from '#domain/customers/programs/programs.ts'
import { punchoutHours } from '#domain/channels/purchasing/purchasing.ts'
import { officeSessionSeconds } from '#domain/kernel/staff/staff.ts'
import type { Config } from '#platform/config.ts'
import { networkOf } from './client-address.ts'
import { isId } from '#platform/ids.ts'
import { sign, verify } from '#platform/signing.ts'
import { makingSecret, type Secrets } from '#platform/secrets.ts'

export type Visitor = {
  /** Five digits, in a cookie the page's script may read. */
  zip: string | undefined
  /** The vehicle as the finder wrote it; see domain/catalog/vehicles for its form. */
  vehicle: string | undefined
  cartId: string | undefined
  /** Addresses of recent searches, newest first. */
  recent: { label: string; path: string }[]
  /** The tires to compare, as `parseTireKeys` reads them. */
  compared: string | undefined
  /** IDs of orders placed in this browser, which can open the confirmation and the receipt. */
  orderIds: number[]
  /** Keys of orders opened here with an emailed code. Each contains its order and expiry, which aren't checked here. */
  orderKeys: string[]
  /** Ties an emailed code to this browser. */
  orderCodeId: string | undefined
  /** Identifies this browser when it votes on or writes reviews; set only once it did. */
  visitorId: string | undefined
  /** Opens an account's session if it is still active. This module doesn't check that. Page script cannot read it. */
  session: string | undefined
  /** The same for the back office, apart from any account. */
  officeSession: string | undefined
  /** And for the portal of shops. */
  portalSession: string | undefined
  /** Whether the sidebar of the back office is folded in this browser. */
  isOfficeSidebarFolded: boolean
  /** The punchout session opened here. It may have expired. */
  punchoutId: string | undefined
  /** Ties a sign-in in progress to this browser. */
  signInKey: string | undefined
  /** The referral link opened here, and when, as long as it is valid. */
  referral: { code: string; openedAt: Temporal.Instant } | undefined
  /** The referral link for this browser's account, which doesn't apply in this browser. */
  ownReferral: string | undefined
  /** The dealer code of the visited branded store. This module doesn't check whether that store is enabled. */
  dealerCode: string | undefined
  /** The partner's widget the shopper came from, the code of its shop, and the partner's name for the page; unchecked. */
  widget: { id: string; shopCode: string | null; source: string | null } | undefined
  /** A shop's unsent application, sealed. */
  shopApplication: string | undefined
  /** A key for the network the request comes from, used for rate limits; the address itself is not stored. */
  networkKey: string
  /** True if the request has anything personal, so that the response must not be shared. */
  isKnown: boolean
}

/** The lifetime of each cookie in days. */
export const keptDays = {
  zip: 365,
  vehicle: 365,
  cart: 90,
  recent: 90,
  compared: 30,
  orders: 60,
  visitor: 365,
  referral: referralLinkDays,
  ownReferral: 365,
  shopApplication: 30,
  dealer: 30,
  widget: widgetVisitDays,
  officeSidebar: 365,
} as const

/** Browsers store up to 4096 bytes of a cookie, including its name. */
const longestSealed = 4_000
const day = 86_400
/** Orders that codes keep open in one browser at a time. */
const mostOrderKeys = 5
const names = {
  zip: 'sw_zip',
  vehicle: 'sw_vehicle',
  cart: 'sw_cart',
  recent: 'sw_recent',
  compared: 'sw_compared',
  orders: 'sw_orders',
  orderKeys: 'sw_order_keys',
  orderCode: 'sw_order_code',
  visitor: 'sw_visitor',
  session: 'sw_session',
  office: 'sw_office',
  officeSidebar: 'sw_office_sidebar',
  portal: 'sw_portal',
  signIn: 'sw_sign_in',
  referral: 'sw_referral',
  ownReferral: 'sw_own_referral',
  shopApplication: 'sw_shop_application',
  dealer: 'sw_dealer',
  widget: 'sw_widget',
  punchout: 'sw_punchout',
} as const

/**
 * Over TLS, cookies that grant access are bound to this exact host: a browser accepts such a name neither from another
 * host of the domain nor without TLS.
 */
function hostBound(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}

/** Returns whether a Cookie header contains any of our values. The page cache needs this without parsing. */
export function carriesIdentity(cookieHeader: string | undefined | null): boolean {
  return cookieHeader !== undefined && cookieHeader !== null && cookieHeader.includes('sw_')
}

/** Returns whether it contains a session, active or not, of an account or a purchasing system. */
export function carriesSession(cookieHeader: string | undefined): boolean {
  return (
    cookieHeader !== undefined &&
    (cookieHeader.includes(`${names.session}=`) || cookieHeader.includes(`${names.punchout}=`))
  )
}

/** Reads the visitor from a Cookie header. Invalid values count as absent. `secure`: the store has TLS. */
export function readVisitor(cookieHeader: string | null, secret: Secrets, address: string, secure = false): Visitor {
  const cookies = parseCookie(cookieHeader ?? '')
  const zip = cookies[names.zip]
  const signed = (name: string, cookie = name) =>
    cookies[cookie] === undefined ? undefined : verify(secret, name, cookies[cookie])
  const opening = (name: string, most = 100) => cookies[hostBound(name, secure)]?.slice(0, most)
  const orders = signed(names.orders, hostBound(names.orders, secure))
  return {
    zip: zip && /^\d{5}$/.test(zip) ? zip : undefined,
    vehicle: cookies[names.vehicle]?.slice(0, 600),
    cartId: idIn(cookies[hostBound(names.cart, secure)]),
    recent: readRecent(cookies[names.recent]),
    compared: cookies[names.compared]?.slice(0, 400),
    orderIds: orders ? orders.split('-').map(Number).filter(Number.isSafeInteger) : [],
    orderKeys: readOrderKeys(cookies[hostBound(names.orderKeys, secure)]),
    orderCodeId: idIn(cookies[hostBound(names.orderCode, secure)]),
    // Computed on demand because few pages need it.
    get networkKey() {
      return createHmac('sha256', makingSecret(secret))
        .update(`address\n${networkOf(address)}`)
        .digest('base64url')
        .slice(0, 22)
    },
    visitorId: idIn(signed(names.visitor)),
    session: opening(names.session),
    officeSession: opening(names.office),
    portalSession: opening(names.portal),
    isOfficeSidebarFolded: cookies[names.officeSidebar] === 'folded',
    punchoutId: idIn(verifyOptional(secret, names.punchout, opening(names.punchout, 300))),
    signInKey: /^[\w-]{43}$/.exec(opening(names.signIn) ?? '')?.[0],
    referral: readReferral(signed(names.referral)),
    ownReferral: signed(names.ownReferral),
    dealerCode: dealerCodeOf(cookies[names.dealer] ?? ''),
    widget: readWidget(cookies[names.widget]),
    shopApplication: cookies[names.shopApplication]?.slice(0, longestSealed),
    isKnown: carriesIdentity(cookieHeader),
  }
}

function verifyOptional(secret: Secrets, name: string, signed: string | undefined): string | undefined {
  return signed === undefined ? undefined : verify(secret, name, signed)
}

/** Returns Set-Cookie headers for this store's visitors. */
export function cookiesFor({ web, session }: Pick<Config, 'web' | 'session'>) {
  return remember(web.isSecure, session.secret)
}

/** Returns Set-Cookie headers; `secure`: only over https. */
export function remember(secure: boolean, secret: Secrets) {
  const base = { path: '/', sameSite: 'lax', secure } as const
  return {
    zip: (zip: string) => stringifySetCookie(names.zip, zip, { ...base, maxAge: keptDays.zip * day }),
    vehicle: (vehicle: string | null) =>
      stringifySetCookie(names.vehicle, vehicle ?? '', {
        ...base,
        httpOnly: true,
        maxAge: vehicle === null ? 0 : keptDays.vehicle * day,
      }),
    cart: (id: string | null) =>
      stringifySetCookie(hostBound(names.cart, secure), id ?? '', {
        ...base,
        httpOnly: true,
        maxAge: id === null ? 0 : keptDays.cart * day,
      }),
    /** An empty list clears the cookie. */
    recent: (recent: Visitor['recent']) =>
      stringifySetCookie(names.recent, JSON.stringify(cutSearches(recent).map(({ label, path }) => [label, path])), {
        ...base,
        httpOnly: true,
        maxAge: recent.length === 0 ? 0 : keptDays.recent * day,
      }),
    /** Null clears the cookie. */
    session: (cookie: string | null) =>
      stringifySetCookie(hostBound(names.session, secure), cookie ?? '', {
        ...base,
        httpOnly: true,
        maxAge: cookie === null ? 0 : sessionSeconds,
      }),
    ...rememberWork(base, secure),
    /** Null clears the cookie. */
    punchout: (id: string | null) =>
      stringifySetCookie(hostBound(names.punchout, secure), id === null ? '' : sign(secret, names.punchout, id), {
        ...base,
        httpOnly: true,
        maxAge: id === null ? 0 : punchoutHours * 3_600,
      }),
    signIn: (key: string) =>
      stringifySetCookie(hostBound(names.signIn, secure), key, {
        ...base,
        httpOnly: true,
        maxAge: attemptMinutes * 60,
      }),
    referral: ({ code, openedAt }: NonNullable<Visitor['referral']>) =>
      stringifySetCookie(
        names.referral,
        sign(secret, names.referral, `${code}-${Math.trunc(openedAt.epochMilliseconds / 1_000)}`),
        {
          ...base,
          httpOnly: true,
          maxAge: keptDays.referral * day,
        },
      ),
    ownReferral: (code: string) =>
      stringifySetCookie(names.ownReferral, sign(secret, names.ownReferral, code), {
        ...base,
        httpOnly: true,
        maxAge: keptDays.ownReferral * day,
      }),
    /** Null clears the cookie. It is sent only to the form's pages. Skipped if it's longer than browsers store. */
    shopApplication: (sealed: string | null) =>
      stringifySetCookie(names.shopApplication, sealed === null || sealed.length > longestSealed ? '' : sealed, {
        ...base,
        path: '/installer-signup',
        httpOnly: true,
        maxAge: sealed === null || sealed.length > longestSealed ? 0 : keptDays.shopApplication * day,
      }),
    ...rememberSource(base),
    visitor: (id: string) =>
      stringifySetCookie(names.visitor, sign(secret, names.visitor, id), {
        ...base,
        httpOnly: true,
        maxAge: keptDays.visitor * day,
      }),
    compared: (keys: readonly string[]) =>
      stringifySetCookie(names.compared, keys.join(','), {
        ...base,
        httpOnly: true,
        maxAge: keys.length === 0 ? 0 : keptDays.compared * day,
      }),
    ...rememberOrders(base, secret),
  }
}

/** Cookies that say where a visit came from. */
function rememberSource(base: { path: '/'; sameSite: 'lax'; secure: boolean }) {
  return {
    /** Null clears the cookie, which returns the visitor to our own store. */
    dealer: (code: string | null) =>
      stringifySetCookie(names.dealer, code ?? '', {
        ...base,
        httpOnly: true,
        maxAge: code === null ? 0 : keptDays.dealer * day,
      }),
    widget: ({ id, shopCode, source }: NonNullable<Visitor['widget']>) =>
      stringifySetCookie(names.widget, [id, shopCode ?? '', source ?? ''].join('~'), {
        ...base,
        httpOnly: true,
        maxAge: keptDays.widget * day,
      }),
  }
}

/** Cookies of the back office and of the portal of shops. */
function rememberWork(base: { path: '/'; sameSite: 'lax'; secure: boolean }, secure: boolean) {
  return {
    /** Null clears the cookie. */
    office: (cookie: string | null) =>
      stringifySetCookie(hostBound(names.office, secure), cookie ?? '', {
        ...base,
        httpOnly: true,
        maxAge: cookie === null ? 0 : officeSessionSeconds,
      }),
    /** Sent with requests of the back office only; false clears the cookie. */
    officeSidebar: (isFolded: boolean) =>
      stringifySetCookie(names.officeSidebar, isFolded ? 'folded' : '', {
        ...base,
        path: '/office',
        httpOnly: true,
        maxAge: isFolded ? keptDays.officeSidebar * day : 0,
      }),
    /** Null clears the cookie. */
    portal: (cookie: string | null) =>
      stringifySetCookie(hostBound(names.portal, secure), cookie ?? '', {
        ...base,
        httpOnly: true,
        maxAge: cookie === null ? 0 : portalSessionSeconds,
      }),
  }
}

/** Cookies of the orders that this browser placed or has opened. */
function rememberOrders(base: { path: '/'; sameSite: 'lax'; secure: boolean }, secret: Secrets) {
  const opens = { ...base, httpOnly: true, maxAge: codeAccessMinutes * 60 }
  return {
    orders: (ids: number[]) =>
      stringifySetCookie(hostBound(names.orders, base.secure), sign(secret, names.orders, ids.slice(-20).join('-')), {
        ...base,
        httpOnly: true,
        maxAge: keptDays.orders * day,
      }),
    /** Adds the key of an order to those in this browser; the newest are kept. */
    orderKey: ({ orderKeys }: Visitor, key: string) => {
      const keys = [...orderKeys, key].slice(-mostOrderKeys)
      return stringifySetCookie(hostBound(names.orderKeys, base.secure), keys.join('~'), opens)
    },
    orderCode: (id: string) => stringifySetCookie(hostBound(names.orderCode, base.secure), id, opens),
  }
}

/** Adds `entry` to the front of the recent searches, without a duplicate. */
export function withRecent(recent: Visitor['recent'], entry: Visitor['recent'][number]): Visitor['recent'] {
  return [entry, ...recent.filter((other) => other.path !== entry.path)].slice(0, 4)
}

/** Limits the searches to the number and length stored, newest first. */
export function cutSearches(recent: Visitor['recent']): Visitor['recent'] {
  return recent.slice(0, 4).map(({ label, path }) => ({ label: label.slice(0, 60), path: path.slice(0, 200) }))
}

function idIn(text: string | undefined): string | undefined {
  return text !== undefined && isId(text) ? text : undefined
}

function readOrderKeys(text: string | undefined): string[] {
  return (text ?? '')
    .split('~')
    .filter((key) => /^\d{1,15}-\d{9,11}\.[\w-]{43}$/.test(key))
    .slice(-mostOrderKeys)
}

function readWidget(text: string | undefined): Visitor['widget'] {
  const [id, shopCode, source] = (text ?? '').slice(0, 100).split('~')
  const known = widgetIdOf(id ?? '')
  if (known === undefined) return undefined
  return { id: known, shopCode: installerIdOf(shopCode ?? '') ?? null, source: widgetSourceOf(source) }
}

function readReferral(text: string | undefined): Visitor['referral'] {
  const match = /^([a-z2-9]{10})-(\d{9,11})$/.exec(text ?? '')
  return match?.[1] === undefined
    ? undefined
    : { code: match[1], openedAt: Temporal.Instant.fromEpochMilliseconds(Number(match[2]) * 1_000) }
}

function readRecent(text: string | undefined): Visitor['recent'] {
  if (!text) return []
  try {
    const list: unknown = JSON.parse(text)
    if (!Array.isArray(list)) return []
    return list.flatMap((entry: unknown) =>
      Array.isArray(entry) &&
      typeof entry[0] === 'string' &&
      typeof entry[1] === 'string' &&
      /^\/(?![/\\])/.test(entry[1])
        ? [{ label: entry[0], path: entry[1] }]
        : [],
    )
  } catch {
    return []
  }
}

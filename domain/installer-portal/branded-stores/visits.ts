/** References to a branded store in a URL, by dealer code, shop id, or host name. Safe in the browser. */

/** Returns a dealer code as it is kept; undefined for any other text. */
export function dealerCodeOf(text: string): string | undefined {
  const code = text.slice(0, 40).trim().toUpperCase()
  return /^[A-Z0-9]{4,16}$/.test(code) ? code : undefined
}

/** Returns an installer id, the code of a shop such as "SW-00001"; undefined for any other text. */
export function installerIdOf(text: string): string | undefined {
  const id = text.slice(0, 40).trim().toUpperCase()
  return /^SW-\d{1,9}$/.test(id) ? id : undefined
}

/** Returns a host name as it is kept; undefined for one that cannot be one: an address, a port, a single label. */
export function hostNameOf(text: string): string | undefined {
  const host = text.slice(0, 200).trim().toLowerCase().replace(/[.]$/, '')
  if (host.length > 100 || !/^[a-z0-9.-]+$/.test(host)) return undefined
  const labels = host.split('.')
  const isName = labels.length >= 2 && labels.every((label) => /^[a-z0-9-]{1,63}$/.test(label) && !/^-|-$/.test(label))
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') ? host : undefined
}

/** The branded store a URL refers to; null if it doesn't refer to one. If both are given, the dealer code is used. */
export type AskedStore = { dealerCode: string } | { installerId: string }

/** Parses `?dealerCode=` and `?installerId=`, ignoring invalid values. */
export function askedStore(query: URLSearchParams): AskedStore | null {
  const dealerCode = dealerCodeOf(query.get('dealerCode') ?? '')
  if (dealerCode !== undefined) return { dealerCode }
  const installerId = installerIdOf(query.get('installerId') ?? '')
  return installerId === undefined ? null : { installerId }
}

/** The parameters that name a branded store. */
export const storeParameters = ['dealerCode', 'installerId'] as const

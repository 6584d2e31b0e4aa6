/**
 * Purchase orders in cXML 1.2 over a purchasing network, which identifies suppliers by their identity. http://cxml.org
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { CxmlConnection, SupplierOrder, SupplierReply, SupplierWire } from '#domain/supply/stock/supplier.port.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { requestIdHeader } from '#platform/request-scope.ts'
import { readCxmlMessage } from './cxml-messages.ts'
import { childAt, parseXml, writeXml, type XmlContent } from '#platform/xml.ts'
import { someSecret, type Secrets } from '#platform/secrets.ts'

export type CxmlNetwork = {
  /** Where orders are posted to. */
  url: string
  /** The store on the network, and what it proves that with. */
  identity: string
  secret: string
  /** What the network proves itself with when it posts to the store. */
  callbackSecret: Secrets
  /** Whether orders are only a test. */
  isTest: boolean
}

type Rest = {
  /** Who is billed. */
  store: { name: string; address: string }
  /** Calls the addresses that staff enter. */
  outgoing: Outgoing
}

const timeoutMs = 10_000
const longestAnswer = 64 * 1024
const version = '1.2.063'
const doctype = (dtd: string) => `http://xml.cxml.org/schemas/cXML/${version}/${dtd}.dtd`
/** Tires for cars and light trucks. https://www.unspsc.org */
const tireCode = '25172504'

/** The network, null for a store without one, and the suppliers' own systems, as `SupplierWire` describes. */
export function createCxmlSuppliers(
  network: CxmlNetwork | null,
  { store, outgoing }: Rest,
): Omit<SupplierWire, 'collect'> {
  async function send(order: SupplierOrder, type: 'new' | 'delete'): Promise<SupplierReply> {
    const own = order.own?.protocol === 'cxml' ? order.own : null
    const from = own ?? network
    if (!from) throw new Error('The store has no purchasing network.')
    const body = orderDocument({ ...from, isTest: network?.isTest ?? false, store }, order, type)
    return own ? postOwn(outgoing, own, body) : post(from, body)
  }
  return {
    hasNetwork: network !== null,
    order: (order) => send(order, 'new'),
    withdraw: (order) => send(order, 'delete'),
    readMessage: (rawBody, ownOf) =>
      readCxmlMessage(rawBody, (networkId) => {
        const own = ownOf(networkId)
        if (own === 'unreadable' || own?.protocol === 'edi' || (own === null && network === null)) return null
        const { identity, secrets } = own
          ? { identity: own.identity, secrets: [own.secret] as const }
          : { identity: network?.identity ?? '', secrets: network?.callbackSecret ?? ([''] as const) }
        return {
          ourIdentity: identity,
          isSecret: (given) =>
            given !== '' && someSecret(secrets, (secret) => timingSafeEqual(hashOf(given), hashOf(secret))),
        }
      }),
    answerOf: ({ code, words, at }) =>
      writeXml(
        {
          cXML: {
            '@payloadID': `${at.epochMilliseconds}.${crypto.randomUUID()}@sidewall`,
            '@timestamp': at.toString({ smallestUnit: 'second' }),
            Response: { Status: { '@code': String(code), '@text': textOfCode(code), '#text': words } },
          },
        },
        doctype('cXML'),
      ),
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function textOfCode(code: number): string {
  const texts: Record<number, string> = {
    200: 'OK',
    400: 'Bad Request',
    401: 'Unauthorized',
    406: 'Not Acceptable',
    409: 'Conflict',
    450: 'Not Implemented',
  }
  return texts[code] ?? 'Error'
}

/** Posts a document and reads its status. What the network cannot say no to may succeed later. */
async function post({ url }: { url: string }, body: string): Promise<SupplierReply> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset=utf-8', ...requestIdHeader() },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) {
      await response.body?.cancel()
      return { ok: false, reason: 'unavailable', cause: new Error(`The supplier answered ${response.status}.`) }
    }
    return replyOf(await readShort(response))
  } catch (cause) {
    // Only the message, because the request contains the secret.
    const words = cause instanceof Error ? cause.message : 'failed'
    return { ok: false, reason: 'unavailable', cause: new Error(words) }
  }
}

/** The same for an address that staff entered, which must be a public one. */
async function postOwn(outgoing: Outgoing, { url }: CxmlConnection, body: string): Promise<SupplierReply> {
  const answer = await outgoing.post({
    url,
    body,
    headers: { 'content-type': 'text/xml; charset=utf-8', ...requestIdHeader() },
    timeoutMs,
    maxBytes: longestAnswer,
  })
  const away = (words: string): SupplierReply => ({ ok: false, reason: 'unavailable', cause: new Error(words) })
  if (!answer.ok) return away(`The supplier was not reached: ${answer.fault}.`)
  if (answer.status < 200 || answer.status > 299) return away(`The supplier answered ${answer.status}.`)
  return answer.isCut ? away('The answer of the supplier is too long.') : replyOf(answer.body)
}

async function readShort(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > longestAnswer) throw new Error('The answer of the supplier is too long.')
  }
  return text + decoder.decode()
}

/**
 * Returns whether the code means that the supplier didn't process the order: invalid credentials, rate limit, or server
 * error.
 */
function mayPass(code: number): boolean {
  return [401, 403, 408, 429].includes(code) || code >= 500
}

function replyOf(text: string): SupplierReply {
  const status = childAt(parseXml(text), 'Response', 'Status')
  const code = Number(status?.attributes['code'])
  if (!status || !Number.isInteger(code) || code < 100)
    return { ok: false, reason: 'unavailable', cause: new Error('The answer of the supplier has another form.') }
  if (code < 300) return { ok: true }
  const words = `${code} ${status.text.trim() || (status.attributes['text'] ?? '')}`.slice(0, 200)
  return mayPass(code)
    ? { ok: false, reason: 'unavailable', cause: new Error(`The supplier answered ${words}.`) }
    : { ok: false, reason: 'refused', words }
}

/** Elements stand in the order of the DTD. */
function orderDocument(
  config: Pick<CxmlNetwork, 'identity' | 'secret' | 'isTest'> & Pick<Rest, 'store'>,
  order: SupplierOrder,
  type: 'new' | 'delete',
): string {
  const credential = (identity: string) => ({ '@domain': 'NetworkId', Identity: identity })
  const at = order.at.toString({ smallestUnit: 'second' })
  return writeXml(
    {
      cXML: {
        '@payloadID': type === 'new' ? order.payloadId : `withdraw-${order.payloadId}`,
        '@timestamp': at,
        '@xml:lang': 'en-US',
        Header: {
          From: { Credential: credential(config.identity) },
          To: { Credential: credential(order.networkId) },
          Sender: {
            Credential: { ...credential(config.identity), SharedSecret: config.secret },
            UserAgent: 'Sidewall',
          },
        },
        Request: {
          '@deploymentMode': config.isTest ? 'test' : 'production',
          OrderRequest: {
            OrderRequestHeader: headerOf(config, order, { type, at }),
            ItemOut: order.lines.map(itemOf),
          },
        },
      },
    },
    doctype('cXML'),
  )
}

function headerOf(
  { store }: Pick<Rest, 'store'>,
  order: SupplierOrder,
  { type, at }: { type: 'new' | 'delete'; at: string },
): XmlContent {
  const cents = order.lines.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0)
  const { shipTo } = order
  const comment = order.isWhole ? 'Fill or kill. Ship the full quantity or cancel the order.' : order.note
  return {
    '@orderID': order.number,
    '@orderDate': at,
    '@type': type,
    ...(order.isWhole ? { '@shipComplete': 'yes' } : {}),
    Total: { Money: money(cents) },
    ShipTo: {
      Address: {
        '@isoCountryCode': 'US',
        Name: { '@xml:lang': 'en-US', '#text': shipTo.name },
        PostalAddress: {
          DeliverTo: shipTo.name,
          Street: shipTo.street,
          City: shipTo.city,
          State: shipTo.state,
          PostalCode: shipTo.zip,
          Country: country,
        },
        ...(/^\d{10,}$/.test(shipTo.phone) ? { Phone: { TelephoneNumber: telephone(shipTo.phone.slice(-10)) } } : {}),
      },
    },
    BillTo: {
      Address: {
        '@isoCountryCode': 'US',
        Name: { '@xml:lang': 'en-US', '#text': store.name },
        PostalAddress: billingAddress(store.address),
      },
    },
    ...(comment === null ? {} : { Comments: { '@xml:lang': 'en-US', '#text': comment } }),
    ...(type === 'delete' ? { DocumentReference: { '@payloadID': order.payloadId } } : {}),
  }
}

const country: XmlContent = { '@isoCountryCode': 'US', '#text': 'United States' }

/** The store's address is one line: "100 Sample Street, Chicago, IL 60601". */
function billingAddress(line: string): XmlContent {
  const [, street = line, city = '', state, zip] = /^(.{1,120}), ([^,]{1,60}), ([A-Z]{2}) (\d{5})$/.exec(line) ?? []
  return {
    Street: street,
    City: city,
    ...(state !== undefined && zip !== undefined ? { State: state, PostalCode: zip } : {}),
    Country: country,
  }
}

function telephone(digits: string): XmlContent {
  return {
    CountryCode: { '@isoCountryCode': 'US', '#text': '1' },
    AreaOrCityCode: digits.slice(0, 3),
    Number: digits.slice(3),
  }
}

function itemOf({ lineNo, sku, part, name, quantity, unitCents }: SupplierOrder['lines'][number]): XmlContent {
  return {
    '@quantity': String(quantity),
    '@lineNumber': String(lineNo),
    ItemID: { SupplierPartID: sku },
    ItemDetail: {
      UnitPrice: { Money: money(unitCents) },
      Description: { '@xml:lang': 'en-US', '#text': name },
      UnitOfMeasure: 'EA',
      Classification: { '@domain': 'UNSPSC', '#text': tireCode },
      ...(part === null
        ? {}
        : { ManufacturerPartID: part.mpn, ManufacturerName: { '@xml:lang': 'en-US', '#text': part.brand } }),
    },
  }
}

function money(cents: number): XmlContent {
  return { '@currency': CURRENCY.code, '#text': (cents / 100).toFixed(2) }
}

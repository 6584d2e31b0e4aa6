/** A company's purchasing system as staff see it, with connection, secrets, and exchanged documents. */
import { findCompany } from '#domain/customers/companies/companies.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { documentNames, mostDocumentAttempts } from '#domain/channels/purchasing/purchasing.ts'
import {
  findPurchasingSystem,
  listDocuments,
  listReceived,
  type KeptDocument,
  type PurchasingSystem,
} from '#domain/channels/purchasing/purchasing.server.ts'
import { isId } from '#platform/ids.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

const shown = 25

/** Reads the page of a company's purchasing system; undefined for a company that is not there. */
export async function readOfficePurchasing(app: Application, companyId: string) {
  const company = isId(companyId) ? await findCompany(app, companyId) : undefined
  if (!company) return undefined
  const [found, received, documents, check] = await Promise.all([
    findPurchasingSystem(app, companyId),
    listReceived(app, companyId, shown),
    listDocuments(app, companyId, shown),
    app.documentCheck.current(),
  ])
  const { config } = app
  return {
    id: company.id,
    name: company.name,
    isApproved: company.state === 'approved',
    hasTerms: company.terms !== null,
    values: found ? valuesOf(found.system) : null,
    hasSecret: found?.system.secret !== null && found !== undefined,
    secrets: (found?.secrets ?? []).map(({ issuedAt, issuedBy, endsAt }) => ({
      issued: timeText(issuedAt, storeZone),
      by: issuedBy,
      ends: endsAt ? timeText(endsAt, storeZone) : 'In use',
      isOver: endsAt !== null && Temporal.Instant.compare(endsAt, app.clock.now()) <= 0,
    })),
    received: received.map(({ payloadId, kind, code, words, at }) => ({
      id: payloadId,
      kind,
      answer: code === null ? 'Being worked on' : `${code} ${words}`,
      isRefused: code !== null && code >= 300,
      at: timeText(at, storeZone),
    })),
    documents: documents.map(documentRow),
    ours: {
      address: `${config.web.origin}/cxml`,
      domain: config.purchasing.domain,
      identity: config.purchasing.identity,
      isChecked: check !== null,
    },
  }
}

export type OfficePurchasing = NonNullable<Awaited<ReturnType<typeof readOfficePurchasing>>>

/** The fields of the form. The secret we send is never shown. */
function valuesOf({ channel, domain, identity, url, bill, phone, email }: PurchasingSystem) {
  return {
    channel,
    domain,
    identity,
    url: url ?? '',
    billName: bill.name,
    billStreet: bill.street,
    billCity: bill.city,
    billState: bill.state,
    billZip: bill.zip,
    phone,
    email,
  }
}

function documentRow({ id, kind, orderId, buyerOrderId, state, attempts, lastError, madeAt }: KeptDocument) {
  const failed = lastError === null ? '' : `: ${lastError}`
  return {
    id,
    name: documentNames[kind],
    orderId,
    order: `${orderNumber(orderId)}, ${buyerOrderId}`,
    made: timeText(madeAt, storeZone),
    state: {
      sent: 'Sent',
      waiting: attempts === 0 ? 'Waiting' : `Attempt ${attempts} of ${mostDocumentAttempts} failed${failed}`,
      dead: `Given up${failed}`,
    }[state],
    isDead: state === 'dead',
  }
}

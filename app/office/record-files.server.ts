/**
 * The files of records, such as labels, packing slips, and the pictures that customers send. Staff open them from the
 * record's page, and programs read them over the admin API.
 *
 * Over 400 lines: the list of all files, with one entry for each.
 */
import { z } from 'zod'
import { numberedId, uuidOf } from '#app/office/define-actions.server.ts'
import type { ListReader } from '#app/office/define-list.server.ts'
import { pdfAnswer } from '#app/server/pdf-answer.ts'
import { storedFile } from '#app/server/stored-file.ts'
import { findPerson } from '#app/views/office/customer.server.ts'
import { dueText, labelShown, listSlips, readSlips } from '#app/views/office/parcel.server.ts'
import { findClaimFile } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { parseClaimNumber } from '#domain/aftercare/coverage-claims/coverage-claims.ts'
import { findGuaranteeFile } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { parseGuaranteeNumber } from '#domain/aftercare/price-guarantee/price-guarantee.ts'
import { findCertificate } from '#domain/customers/companies/companies.server.ts'
import { findAccountDocument } from '#domain/customers/programs/programs.server.ts'
import { findShopPicture } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { parseShopApplicationNumber } from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { findDisputePhoto } from '#domain/installer-portal/payouts/payouts.server.ts'
import { findJobPhoto, findReportPhoto } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { isJobPhotoKind, parseShopReportNumber } from '#domain/installer-portal/work-orders/work-orders.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import { findAttachment, findReplyFile } from '#domain/messaging/support/support.server.ts'
import { labelContentTypes, readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import {
  findParcel,
  listParcelsToPack,
  pickListOf,
  readLabel,
  readManifestFile,
  type PackingSlip,
} from '#domain/ordering/parcels/parcels.server.ts'
import { manifestNumber } from '#domain/ordering/parcels/parcels.ts'
import { findReturnPhoto, labelSheet, readReturn } from '#domain/ordering/returns/returns.server.ts'
import { returnNumber } from '#domain/ordering/returns/returns.ts'
import { storeZone } from '#platform/store-zone.ts'

type Asked = Readonly<Record<string, string | undefined>>

export type OfficeFile = {
  /** In the admin API, such as "/claims/{id}/file". */
  path: string
  /** The noun in messages, such as "label". */
  noun: string
  summary: string
  permission: Permission
  types: readonly string[]
  query?: z.ZodObject<Record<string, z.ZodType<string | undefined>>>
  /**
   * Returns the file, or a redirect to it, for the names in the address and the query. Responds with 404 if there isn't
   * one, and throws a 403 for readers who may not see it.
   */
  read(reader: ListReader, asked: Asked): Promise<Response>
}

const pdf = ['application/pdf'] as const
const pictures = ['image/webp'] as const
const attachments = [...pictures, ...pdf] as const
const missing = () => new Response(null, { status: 404 })

async function parcelOf({ app }: ListReader, { id = '' }: Asked) {
  const parcel = await findParcel(app, uuidOf(id.slice(0, 36)))
  const order = parcel && (await readOrder(app.db, parcel.orderId))
  return order && { parcel, order }
}

async function labelOf(reader: ListReader, asked: Asked, format: 'pdf' | 'zpl') {
  const found = await parcelOf(reader, asked)
  if (!found) return undefined
  const { parcel, order } = found
  if (!labelShown(parcel, reader.session.roles)) throw new Response(null, { status: 403 })
  const bytes = await readLabel(reader.app, { shipmentId: parcel.id, format })
  return bytes && { bytes, name: `Label_${orderNumber(order.id)}` }
}

export const packingSlipFile: OfficeFile = {
  path: '/parcels/{id}/packing-slip.pdf',
  noun: 'packing slip',
  summary: 'Download a parcel’s packing slip',
  permission: 'parcels.read',
  types: pdf,
  async read(reader, asked) {
    const found = await parcelOf(reader, asked)
    if (!found) return missing()
    const { app, session } = reader
    const { parcel, order } = found
    const slips = await readSlips(app, [order], session.roles, parcel.id)
    return slips ? pdfAnswer(await app.packingSlipsPdf(slips), `Packing_Slip_${orderNumber(order.id)}`) : missing()
  },
}

export const labelFile: OfficeFile = {
  path: '/parcels/{id}/label.pdf',
  noun: 'label',
  summary: 'Download a parcel label as PDF',
  permission: 'parcels.ship',
  types: pdf,
  async read(reader, asked) {
    const label = await labelOf(reader, asked, 'pdf')
    return label ? pdfAnswer(label.bytes, label.name) : missing()
  },
}

export const zplLabelFile: OfficeFile = {
  path: '/parcels/{id}/label.zpl',
  noun: 'ZPL label',
  summary: 'Download a parcel label for a label printer',
  permission: 'parcels.ship',
  types: [labelContentTypes.zpl],
  async read(reader, asked) {
    const label = await labelOf(reader, asked, 'zpl')
    return label ? zplAnswer(label) : missing()
  },
}

/** In parcels. */
export const maxParcelsPrinted = 50

const parcelsQuery = z.strictObject({
  parcels: z
    .string()
    .max(maxParcelsPrinted * 40)
    .meta({ description: `Up to ${maxParcelsPrinted} parcel IDs, separated by commas` }),
})
const parcelIds = ({ parcels = '' }: Asked) => new Set(parcels.split(',', maxParcelsPrinted))

export const parcelSlipsFile: OfficeFile = {
  path: '/parcels/packing-slips.pdf',
  noun: 'parcel packing slips',
  summary: 'Download the packing slips of several parcels',
  permission: 'parcels.read',
  types: pdf,
  query: parcelsQuery,
  async read(reader, asked) {
    const { app, session } = reader
    const slips: PackingSlip[] = []
    let isHidden = false
    for (const id of parcelIds(asked)) {
      const found = await parcelOf(reader, { id })
      const list = found && (await listSlips(app, found.order, session.roles, found.parcel.id))
      slips.push(...(list?.slips ?? []))
      isHidden ||= (list?.hidden ?? 0) > 0
    }
    if (slips.length > 0) return pdfAnswer(await app.packingSlipsPdf(slips), 'Packing_Slips')
    return new Response(null, { status: isHidden ? 403 : 404 })
  },
}

export const parcelLabelsFile: OfficeFile = {
  path: '/parcels/labels.zpl',
  noun: 'parcel labels',
  summary: 'Download the labels of several parcels for a label printer',
  permission: 'parcels.ship',
  types: [labelContentTypes.zpl],
  query: parcelsQuery,
  async read(reader, asked) {
    const labels: Buffer[] = []
    for (const id of parcelIds(asked)) {
      const label = await labelOf(reader, { id }, 'zpl')
      // A file without one of the labels would leave a parcel behind.
      if (!label) return missing()
      labels.push(label.bytes)
    }
    return zplAnswer({ bytes: Buffer.concat(labels), name: 'Labels' })
  },
}

function zplAnswer({ bytes, name }: { bytes: Buffer; name: string }): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': labelContentTypes.zpl,
      'content-disposition': `attachment; filename="${name}.zpl"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

export const orderSlipsFile: OfficeFile = {
  path: '/orders/{id}/packing-slips.pdf',
  noun: 'order packing slip',
  summary: 'Download an order’s packing slips',
  permission: 'parcels.read',
  types: pdf,
  async read({ app, session }, { id = '' }) {
    const order = await readOrder(app.db, parseOrderNumber(id) ?? 0)
    const slips = order && (await readSlips(app, [order], session.roles))
    return slips ? pdfAnswer(await app.packingSlipsPdf(slips), `Packing_Slips_${orderNumber(order.id)}`) : missing()
  },
}

/** In orders. */
export const maxOrdersPrinted = 50

export const packingSlipsFile: OfficeFile = {
  path: '/orders/packing-slips.pdf',
  noun: 'packing slip batch',
  summary: 'Download the packing slips of several orders',
  permission: 'parcels.read',
  types: pdf,
  query: z.strictObject({
    orders: z
      .string()
      .max(maxOrdersPrinted * 16)
      .meta({ description: `Up to ${maxOrdersPrinted} order numbers, separated by commas` }),
  }),
  async read({ app, session }, { orders: numbers = '' }) {
    const ids = numbers.split(',', maxOrdersPrinted).map((number) => parseOrderNumber(number) ?? 0)
    const orders: OrderView[] = []
    for (const id of new Set(ids)) {
      const order = await readOrder(app.db, id)
      if (order) orders.push(order)
    }
    const slips = await readSlips(app, orders, session.roles)
    return slips ? pdfAnswer(await app.packingSlipsPdf(slips), 'Packing_Slips') : missing()
  },
}

/** In packages. This is more than a warehouse packs in one round. The rest follow as these ship. */
const maxPrinted = 500

export const pickListFile: OfficeFile = {
  path: '/parcels/pick-list.pdf',
  noun: 'pick list',
  summary: 'Download a pick list',
  permission: 'parcels.read',
  types: pdf,
  query: z.strictObject({
    warehouse: z.string().max(10).optional().meta({ description: 'A warehouse code; all warehouses without it' }),
  }),
  async read({ app, now }, { warehouse: code = null }) {
    const { parcels } = await listParcelsToPack(app, { code, limit: maxPrinted })
    const list = pickListOf(app.config.store.name, parcels, {
      now,
      zone: parcels[0]?.warehouse.timeZone ?? storeZone,
      when: (at, zone) => dueText(at, zone, now),
    })
    return pdfAnswer(await app.pickListPdf(list), `Pick_List${code === null ? '' : `_${code}`}`)
  },
}

export const manifestFile: OfficeFile = {
  path: '/manifests/{id}/manifest.pdf',
  noun: 'manifest file',
  summary: 'Download the carrier’s manifest',
  permission: 'parcels.ship',
  types: pdf,
  async read({ app }, { id = '' }) {
    const number = numberedId(id)
    const bytes = await readManifestFile(app, number)
    return bytes ? pdfAnswer(bytes, `Manifest_${manifestNumber(number)}`) : missing()
  },
}

export const claimFile: OfficeFile = {
  path: '/claims/{id}/file',
  noun: 'claim file',
  summary: 'Download a claim’s picture or receipt',
  permission: 'claims.read',
  types: attachments,
  read: async ({ app }, { id = '' }) => storedFile(app, await findClaimFile(app, parseClaimNumber(id) ?? 0)),
}

export const guaranteeFile: OfficeFile = {
  path: '/guarantees/{id}/file',
  noun: 'request file',
  summary: 'Download a price guarantee request’s attachment',
  permission: 'guarantees.read',
  types: attachments,
  read: async ({ app }, { id = '' }) => storedFile(app, await findGuaranteeFile(app, parseGuaranteeNumber(id) ?? 0)),
}

export const certificateFile: OfficeFile = {
  path: '/certificates/{id}/file',
  noun: 'certificate file',
  summary: 'Download a tax certificate',
  permission: 'certificates.read',
  types: attachments,
  read: async ({ app }, { id = '' }) => storedFile(app, await findCertificate(app, uuidOf(id))),
}

export const accountDocumentFile: OfficeFile = {
  path: '/customers/{id}/documents/{document}',
  noun: 'account document file',
  summary: 'Download a document of a customer’s account',
  permission: 'account-types.set',
  types: attachments,
  async read({ app }, { id = '', document = '' }) {
    const person = await findPerson(app, id)
    const accountIds = person ? person.accounts.map((account) => account.id) : []
    return storedFile(app, await findAccountDocument(app, { accountIds, id: document }))
  },
}

export const messageFile: OfficeFile = {
  path: '/messages/{id}/file',
  noun: 'message file',
  summary: 'Download a message attachment',
  permission: 'requests.read',
  types: attachments,
  query: z.strictObject({
    reply: z.string().max(15).optional().meta({ description: 'The ID of a reply, for its attachments' }),
    place: z.string().max(2).optional().meta({ description: 'The attachment’s position in the reply, from 1' }),
  }),
  async read({ app }, { id = '', reply, place }) {
    const requestId = numberedId(id)
    const file =
      reply === undefined
        ? await findAttachment(app, requestId)
        : await findReplyFile(app, { requestId, replyId: numberedId(reply), place: numberedId(place ?? '1') })
    return storedFile(app, file)
  },
}

export const returnPhotoFile: OfficeFile = {
  path: '/returns/{id}/photos/{no}',
  noun: 'return photo',
  summary: 'Download a return photo',
  permission: 'returns.read',
  types: pictures,
  read: async ({ app }, { id = '', no = '' }) =>
    storedFile(app, await findReturnPhoto(app, { returnId: numberedId(id), no: numberedId(no, 99) }), 'inline'),
}

export const returnLabelsFile: OfficeFile = {
  path: '/returns/{id}/labels.pdf',
  noun: 'return labels',
  summary: 'Download the labels of a return',
  permission: 'returns.read',
  types: pdf,
  async read({ app, customers }, { id = '' }) {
    const view = await readReturn(app.db, numberedId(id))
    const order = view && (await readOrder(app.db, view.orderId))
    // A label shows the customer's name and address.
    if (order && !customers.isShown) throw new Response(null, { status: 403 })
    const sheet = order && labelSheet(app.config, order, view)
    return sheet && sheet.labels.length > 0
      ? pdfAnswer(await app.returnLabelsPdf(sheet), `Labels_${returnNumber(view.id)}`)
      : missing()
  },
}

export const shopPictureFile: OfficeFile = {
  path: '/shop-applications/{id}/picture',
  noun: 'shop picture',
  summary: 'Download a shop application’s picture',
  permission: 'shop-applications.read',
  types: pictures,
  read: async ({ app }, { id = '' }) =>
    storedFile(app, await findShopPicture(app, parseShopApplicationNumber(id) ?? 0)),
}

export const reportPhotoFile: OfficeFile = {
  path: '/shop-reports/{id}/photo',
  noun: 'report photo',
  summary: 'Download a shop report’s photo',
  permission: 'shop-reports.read',
  types: pictures,
  read: async ({ app }, { id = '' }) => storedFile(app, await findReportPhoto(app, parseShopReportNumber(id) ?? 0)),
}

export const jobPhotoFile: OfficeFile = {
  path: '/orders/{id}/photos/{booking}/{kind}',
  noun: 'job photo',
  summary: 'Download a photo that a shop took of an order’s job',
  permission: 'shop-reports.read',
  types: pictures,
  async read({ app }, { id = '', booking: bookingId = '', kind = '' }) {
    const orderId = parseOrderNumber(id) ?? 0
    const isKnown = isJobPhotoKind(kind)
    return storedFile(app, isKnown ? await findJobPhoto(app, { orderId, bookingId, kind }) : undefined, 'inline')
  },
}

export const disputePhotoFile: OfficeFile = {
  path: '/shop-pay/{id}/disputes/{dispute}/photo',
  noun: 'dispute photo',
  summary: 'Download the photo with a shop’s dispute',
  permission: 'pay.read',
  types: pictures,
  read: async ({ app }, { id = '', dispute = '' }) =>
    storedFile(app, await findDisputePhoto(app, { shopCode: id, id: uuidOf(dispute.slice(0, 36)) })),
}

export const officeFiles: readonly OfficeFile[] = [
  packingSlipFile,
  labelFile,
  zplLabelFile,
  parcelSlipsFile,
  parcelLabelsFile,
  orderSlipsFile,
  packingSlipsFile,
  pickListFile,
  manifestFile,
  claimFile,
  guaranteeFile,
  certificateFile,
  accountDocumentFile,
  messageFile,
  returnPhotoFile,
  returnLabelsFile,
  shopPictureFile,
  reportPhotoFile,
  jobPhotoFile,
  disputePhotoFile,
]

/** Bulk actions for parcels, which buy their labels, print their papers, and mark them as shipped. */
import { parcelRefusals } from '#app/office/actions/parcels.server.ts'
import { maxParcelsPrinted } from '#app/office/record-files.server.ts'
import { labelShown, listSlips } from '#app/views/office/parcel.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import {
  buyLabel,
  findParcel,
  markShipped,
  quoteLabel,
  readLabel,
  type ParcelToPack,
} from '#domain/ordering/parcels/parcels.server.ts'
import { whyNotShip } from '#domain/ordering/parcels/parcels.ts'
import { countOf } from '#platform/count-text.ts'
import { isId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import {
  counted,
  done,
  refusedFor,
  revoked,
  type BulkAct,
  type BulkActs,
  type BulkFile,
  type BulkRow,
  type RowReader,
} from './act.server.ts'

type Found = { parcel: ParcelToPack; order: OrderView }

/** Reads a parcel's row; undefined if it doesn't exist. */
async function readParcelRow(
  { app }: RowReader,
  id: string,
  whyNot: (found: Found) => string | null | Promise<string | null>,
): Promise<BulkRow | undefined> {
  const parcel = await findParcel(app, id)
  const order = parcel && (await readOrder(app.db, parcel.orderId))
  if (!parcel || !order) return undefined
  return {
    id,
    label: orderNumber(order.id),
    path: officePaths.officeParcel(id),
    about: `${parcel.warehouse.code}, ${parcel.items.map(({ quantity, sku }) => `${quantity} × ${sku}`).join(', ')}`,
    whyNot: await whyNot({ parcel, order }),
    was: '',
  }
}

const limit: BulkFile['limit'] = {
  rows: maxParcelsPrinted,
  message: `A file has up to ${countOf(maxParcelsPrinted, 'parcel')}. Print this one in the next file.`,
}
const notFound = 'Parcel not found.'
const noLabel = 'It has no label yet. Buy one, or enter a tracking number.'

const printSlips: BulkFile<string> = {
  permission: 'parcels.read',
  title: 'Print parcel packing slips',
  label: 'Print packing slips',
  button: counted('Print the packing slips of', 'parcel'),
  effect: 'Prints 1 page.',
  readRow: (reader, id) =>
    readParcelRow(reader, id, async ({ order }) => {
      const { slips } = await listSlips(reader.app, order, reader.session.roles, id)
      return slips.length > 0 ? null : 'Your role can’t see where it ships.'
    }),
  file: { path: officePaths.officeParcelSlips(), field: 'parcels' },
  limit,
}

const printLabels: BulkFile<string> = {
  permission: 'parcels.ship',
  title: 'Print parcel labels',
  label: 'Print labels',
  button: counted('Download the labels of', 'parcel'),
  effect: 'Added to one ZPL file for a label printer.',
  readRow: (reader, id) =>
    readParcelRow(reader, id, async ({ parcel }) => {
      if (!parcel.label || parcel.label.voidedAt !== null) return 'It has no label. Buy one on its page first.'
      if (!labelShown(parcel, reader.session.roles)) return 'Your role can’t see where it ships.'
      const label = await readLabel(reader.app, { shipmentId: id, format: 'zpl' })
      return label ? null : 'The carrier hasn’t sent its label yet. Try again in a few minutes.'
    }),
  file: { path: officePaths.officeParcelLabels(), field: 'parcels' },
  limit,
}

const markAsShipped: BulkAct<string> = {
  permission: 'parcels.ship',
  title: 'Mark parcels as shipped',
  label: 'Mark shipped',
  button: (count) => `Mark ${countOf(count, 'parcel')} shipped`,
  effect: 'Marked as handed to the carrier. The customer gets an email with the tracking number.',
  input: null,
  readRow: (reader, id) =>
    readParcelRow(reader, id, ({ parcel: { state, warehouse, trackingNumber }, order }) => {
      if (state === 'in-transit' || state === 'delivered') return 'It has shipped already.'
      return whyNotShip({ order, isOwn: warehouse.isOwn, state }) ?? (trackingNumber === null ? noLabel : null)
    }),
  does: async ({ app, actor }, { id }) => {
    const shipped = await markShipped(app, actor, { id, own: null })
    if (shipped.ok) return done
    switch (shipped.reason) {
      case 'not-possible':
        return refusedFor(shipped.detail.why)
      case 'no-label':
        return refusedFor(noLabel)
      case 'not-allowed':
        return refusedFor(revoked)
      default:
        return refusedFor(notFound)
    }
  },
  // The customer already got the email.
  undo: null,
}

/** A label takes the carrier a few seconds. */
const maxLabelsBought = 20

const labelRefusals = {
  'not-allowed': revoked,
  'parcel-not-found': notFound,
  'carrier-away': parcelRefusals['carrier-away'].text,
  'label-unused': parcelRefusals['label-unused'],
  'has-label': parcelRefusals['has-label'],
} as const

const buyLabels: BulkAct<string> = {
  permission: 'parcels.ship',
  title: 'Buy parcel labels',
  label: 'Buy labels',
  button: counted('Buy', 'label'),
  effect: 'Its label is bought.',
  input: null,
  readRow: (reader, id) =>
    readParcelRow(reader, id, ({ parcel: { state, warehouse, label }, order }) =>
      label && label.voidedAt === null
        ? labelRefusals['has-label']
        : whyNotShip({ order, isOwn: warehouse.isOwn, state }),
    ),
  readCost: async ({ app, actor }, id) => {
    const quoted = await quoteLabel(app, actor, id)
    if (!quoted.ok) return { whyNot: whyNoLabel(quoted) }
    const { carrier, costCents } = quoted.value
    return { costCents, effect: `${carrier}, ${formatCents(costCents)}. A label that isn’t used is refunded.` }
  },
  concurrency: 4,
  limit: {
    rows: maxLabelsBought,
    message: `You can buy up to ${countOf(maxLabelsBought, 'label')} at once. Buy this one next.`,
  },
  does: async ({ app, actor }, { id, agreed }) => {
    if (!/^\d{1,7}$/.test(agreed)) return refusedFor('Its cost wasn’t in the preview. Load the page again.')
    const bought = await buyLabel(app, actor, id, { maxCents: Number(agreed) })
    return bought.ok ? done : refusedFor(whyNoLabel(bought))
  },
  // A bought label has no button to void it. It is refunded if the parcel ships another way or is canceled.
  undo: null,
}

function whyNoLabel(refusal: Extract<Awaited<ReturnType<typeof buyLabel | typeof quoteLabel>>, { ok: false }>): string {
  switch (refusal.reason) {
    case 'not-possible':
      return refusal.detail.why
    case 'carrier-refused':
      return parcelRefusals['carrier-refused'](refusal.detail)
    case 'costs-more':
      return parcelRefusals['costs-more'](refusal.detail)
    default:
      return labelRefusals[refusal.reason]
  }
}

export const parcelActs: BulkActs<string> = {
  field: 'parcel',
  readId: (text) => (isId(text) ? text.toLowerCase() : undefined),
  acts: {
    'buy-parcel-labels': buyLabels,
    'print-parcel-slips': printSlips,
    'print-parcel-labels': printLabels,
    'ship-parcels': markAsShipped,
  },
}

/** Returns the names of the bulk actions that a parcel in the list doesn't allow. */
export function unfitActs({ label, trackingNumber }: Pick<ParcelToPack, 'label' | 'trackingNumber'>): string[] {
  return [
    ...(label && label.voidedAt === null ? ['buy-parcel-labels'] : ['print-parcel-labels']),
    ...(trackingNumber === null ? ['ship-parcels'] : []),
  ]
}

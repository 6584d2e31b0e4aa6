/** An order as programs read it, with the data of its page in the back office. */
import { z } from 'zod'
import { cents, day, instant } from '#api/schemas.ts'
import { customerData, defineRecord } from '#app/office/define-record.server.ts'
import { shipToShown } from '#app/views/customer-fields.server.ts'
import { readOfficeOrder, type OrderRecords } from '#app/views/office/order.server.ts'
import { suppliedParts } from '#app/views/office/order-items.server.ts'
import { readStory } from '#app/views/office/order-story.server.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { vehicleText } from '#domain/ordering/orders/orders.ts'
import { madeRefund } from './payments.server.ts'

const address = z.object({
  name: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
})

/** The text and time of a note, which programs read with `customers.read`. */
export const noteSchema = z.object({ at: instant, author: z.string(), body: z.string() })

const refund = madeRefund.extend({
  id: z.string(),
  reason: z.string(),
  bearer: z.string(),
  amountCents: cents,
  createdAt: instant,
  createdBy: z.string(),
  card: z
    .object({ state: z.string(), note: z.string().nullable(), doneAt: instant.nullable() })
    .nullable()
    .meta({ description: 'The card refund' }),
})

const parcel = z.object({
  id: z.string(),
  state: z.string(),
  carrier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  trackingUrl: z.string().nullable(),
  promisedOn: day,
  expectedOn: day.nullable(),
  deliveredAt: instant.nullable(),
  warehouse: z.object({ id: z.int(), name: z.string(), city: z.string(), state: z.string() }),
  supplier: z.string().nullable().meta({ description: 'The supplier that sends it. Null for the store’s warehouses' }),
  items: z.array(z.object({ lineNo: z.int(), description: z.string(), quantity: z.int() })),
  events: z.array(z.object({ at: instant, state: z.string(), note: z.string().nullable() })),
})

export const orderRecord = defineRecord({
  noun: 'order',
  description: 'The order with its lines, amounts, parcels, appointment, payments, refunds, and timeline.',
  schema: z.object({
    id: z.string().meta({ examples: ['S-104001'] }),
    state: z.string(),
    placedAt: instant,
    cancelUntil: instant,
    confirmBy: instant.nullable(),
    releasedAt: instant.nullable(),
    fulfillment: z.string(),
    timeZone: z.string(),
    company: z.string().nullable(),
    vehicle: z.string().nullable(),
    fitment: z.string().nullable().meta({ description: 'The result for the vehicle when the order was placed' }),
    lines: z.array(
      z.object({
        lineNo: z.int(),
        kind: z.string(),
        itemId: z.int().nullable(),
        description: z.string(),
        quantity: z.int(),
        refundedUnits: z.int().meta({ description: 'Includes canceled units' }),
        unitCents: cents,
        grossCents: cents,
        discountCents: cents,
        netCents: cents,
        taxCents: cents,
        fetCents: cents,
        tireFeeCents: cents,
        unitCostCents: cents.nullable().meta({
          description:
            'The cost of a unit to the store, with freight. Null if unknown, or without the permission `reports.read`',
        }),
        unitFreightCents: cents.nullable().meta({
          description: 'The freight in `unitCostCents`. Null without the permission `reports.read`',
        }),
        sources: z
          .array(
            z.object({
              supplier: z.string(),
              purchaseOrderId: z.int(),
              warehouse: z.object({ id: z.int(), code: z.string(), name: z.string() }),
              quantity: z.int(),
              unitCostCents: cents.nullable().meta({
                description: 'With freight. Null if unknown, or without the permission `reports.read`',
              }),
              unitFreightCents: cents.nullable().meta({ description: 'Null without the permission `reports.read`' }),
            }),
          )
          .meta({ description: 'The units from suppliers' }),
      }),
    ),
    totalCents: cents,
    creditCents: cents.meta({ description: 'The part paid with store credit, in cents' }),
    refundableCents: cents.meta({ description: 'The refundable amount in cents' }),
    payment: z
      .object({
        id: z.string(),
        method: z.string(),
        card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
        state: z.string(),
        amountCents: cents,
        capturedCents: cents,
        refundedCents: cents,
      })
      .nullable(),
    invoice: z
      .object({
        state: z.string(),
        amountCents: cents,
        paidCents: cents,
        netDays: z.int(),
        dueOn: day,
      })
      .nullable(),
    charges: z.array(
      z.object({
        at: instant,
        to: z.string(),
        actor: z.string(),
        note: z.string().nullable(),
        amountCents: cents,
      }),
    ),
    refunds: z.array(refund),
    ledger: z
      .array(
        z.object({
          transferId: z.string(),
          at: instant,
          reason: z.string(),
          account: z.string(),
          cents: cents.meta({ description: 'In cents. Debits are positive, and credits negative' }),
        }),
      )
      .nullable()
      .meta({ description: 'Null without the permission `ledger.read`' }),
    parcels: z.array(parcel),
    shop: z
      .object({
        code: z.string(),
        name: z.string(),
        street: z.string(),
        city: z.string(),
        state: z.string(),
        zip: z.string(),
        phone: z.string(),
      })
      .nullable(),
    appointment: z
      .object({
        id: z.string(),
        kind: z.string(),
        state: z.string(),
        start: instant,
        end: instant,
        dropOffWindow: z.string().nullable(),
      })
      .nullable(),
    shipTo: address
      .nullable()
      .meta({ description: 'Null for an address of a customer that the program’s permissions don’t include' }),
    customer: z
      .object({
        id: z.string(),
        firstName: z.string(),
        lastName: z.string(),
        email: z.string(),
        phone: z.string(),
        billing: z.object({
          name: z.string(),
          address1: z.string(),
          address2: z.string().nullable(),
          city: z.string(),
          state: z.string(),
          zip: z.string(),
        }),
      })
      .nullable()
      .meta(customerData),
    emails: z
      .array(
        z.object({
          id: z.string(),
          kind: z.string(),
          state: z.string(),
          queuedAt: instant,
          sentAt: instant.nullable(),
          subject: z.string().nullable(),
        }),
      )
      .nullable()
      .meta(customerData),
    notes: z.array(noteSchema).nullable().meta(customerData),
    timeline: z
      .array(
        z.object({ at: instant, group: z.string(), kind: z.string(), text: z.string(), quote: z.string().nullable() }),
      )
      .meta({ description: 'Newest first' }),
  }),
  async read({ app, session, customers, can }, id) {
    const found = await readOfficeOrder(app, parseOrderNumber(id) ?? 0, session, { view: null, open: null })
    if (!found) return undefined
    const { order, refundable, records } = found
    const { charges, notes, refunds, entries, lines } = records
    const sources = lines.flatMap((line) => line.sources)
    const seesCosts = can('reports.read')
    const vehicle = vehicleText(order)
    return {
      ...order,
      id: orderNumber(order.id),
      vehicle: vehicle === '' ? null : vehicle,
      fitment: order.verdict?.verdict ?? null,
      lines: lines.map((line) => ({
        ...line,
        refundedUnits: refundedUnitsOf(records, line.lineNo),
        unitCostCents: seesCosts ? line.unitCostCents : null,
        unitFreightCents: seesCosts ? line.unitFreightCents : null,
        sources: suppliedParts(line).map((source) => ({
          ...source,
          unitCostCents: seesCosts ? source.unitCostCents : null,
          unitFreightCents: seesCosts ? source.unitFreightCents : null,
        })),
      })),
      refundableCents: refundable.why === null ? refundable.leftCents : 0,
      charges,
      refunds,
      ledger: entries,
      parcels: order.shipments.map((each) => ({
        ...each,
        supplier: sources.find(({ warehouse }) => warehouse.id === each.warehouse.id)?.supplier ?? null,
      })),
      appointment: order.booking,
      shipTo: shipToShown(order, session.roles) ? order.shipTo : null,
      customer: customers.isShown ? customerOf(order) : null,
      emails: customers.isShown ? (records.written?.mails ?? []) : null,
      notes: customers.isShown ? notes : null,
      timeline: await readStory(app, order, { charges, notes: customers.isShown ? [] : notes }),
    }
  },
})

function refundedUnitsOf({ refundable }: OrderRecords, lineNo: number): number {
  return refundable.lines.find((line) => line.lineNo === lineNo)?.refundedUnits ?? 0
}

function customerOf({ customerId, firstName, lastName, email, phone, billing }: OrderView) {
  return { id: customerId, firstName, lastName, email, phone, billing }
}

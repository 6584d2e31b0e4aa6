/** Appointments, shop pay, shop applications, shop reports, and recalls as programs read them. */
import { z } from 'zod'
import { cents, instant } from '#api/schemas.ts'
import { uuidOf } from '#app/office/define-actions.server.ts'
import { customerData, defineRecord } from '#app/office/define-record.server.ts'
import type { CustomerFields } from '#app/views/customer-fields.server.ts'
import {
  findPayee,
  readPayOverview,
  selectAccount,
  selectDisputes,
  selectProposals,
  selectTransfers,
} from '#domain/installer-portal/payouts/payouts.server.ts'
import { findShopApplication } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import {
  parseShopApplicationNumber,
  shopApplicationNumber,
} from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { findShopReport, readRecall, type RecallPage } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import {
  parseCampaign,
  parseShopReportNumber,
  shopReportNumber,
} from '#domain/installer-portal/work-orders/work-orders.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { findBooking } from '#domain/scheduling/booking/booking.server.ts'

export const appointmentRecord = defineRecord({
  noun: 'appointment',
  schema: z.object({
    id: z.string(),
    order: z.string(),
    kind: z.string(),
    state: z.string(),
    start: instant,
    end: instant,
    timeZone: z.string(),
    noticeMinutes: z.int().meta({ description: 'How many minutes before the start it can be rescheduled' }),
    changes: z.int(),
    shop: z.object({ code: z.string(), name: z.string(), city: z.string(), state: z.string() }).nullable(),
    company: z.string().nullable(),
    customer: z.object({ name: z.string(), email: z.string(), phone: z.string() }).nullable().meta(customerData),
  }),
  async read({ app, customers }, id) {
    const booking = await findBooking(app.db, uuidOf(id))
    const order = booking && booking.orderId !== null ? await readOrder(app.db, booking.orderId) : undefined
    if (!booking || !order) return undefined
    const { shop, company, firstName, lastName, email, phone } = order
    return {
      ...booking,
      order: orderNumber(order.id),
      shop,
      company,
      customer: customers.isShown ? { name: `${firstName} ${lastName}`, email, phone } : null,
    }
  },
})

export const shopPayRecord = defineRecord({
  noun: 'shop balance',
  description: 'The balance of a shop with its disputes, the adjustments to approve, and the last 50 payouts.',
  schema: z.object({
    code: z.string(),
    name: z.string(),
    owedCents: cents,
    sentCents: cents,
    account: z.object({ state: z.string(), bankLast4: z.string().nullable() }).nullable(),
    disputes: z.array(
      z.object({
        id: z.string(),
        state: z.string(),
        order: z.string().nullable(),
        amountCents: cents,
        words: z.string(),
        hasPhoto: z.boolean(),
        openedAt: instant,
        answer: z.string().nullable(),
        answeredAt: instant.nullable(),
      }),
    ),
    proposals: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        amountCents: cents,
        reason: z.string(),
        madeAt: instant,
        madeBy: z.string(),
      }),
    ),
    transfers: z.array(
      z.object({
        id: z.string(),
        state: z.string(),
        amountCents: cents,
        intendedAt: instant,
        refusal: z.string().nullable(),
      }),
    ),
  }),
  async read({ app }, id) {
    const payee = await findPayee(app.db, id)
    if (!payee) return undefined
    const { shopId } = payee
    const { owedCents, sentCents } = await readPayOverview(app, payee)
    const [account, disputes, proposals, transfers] = [
      await selectAccount(app.db, { shopId }),
      await selectDisputes(app.db, shopId),
      await selectProposals(app.db, shopId),
      await selectTransfers(app.db, shopId),
    ]
    return {
      ...payee,
      owedCents,
      sentCents,
      account: account ?? null,
      disputes: disputes.map((each) => ({ ...each, order: each.orderId === null ? null : orderNumber(each.orderId) })),
      proposals,
      transfers,
    }
  },
})

export const shopApplicationRecord = defineRecord({
  noun: 'application',
  schema: z.object({
    id: z.string().meta({ examples: ['A-1'] }),
    state: z.string(),
    submittedAt: instant,
    waitingSince: instant,
    question: z.string().nullable(),
    refusal: z.string().nullable(),
    closedAt: instant.nullable(),
    closedBy: z.string().nullable(),
    agreementVersion: z.string(),
    pictureName: z.string().nullable(),
    asked: z.object({
      company: z.string(),
      street: z.string(),
      city: z.string(),
      state: z.string(),
      zip: z.string(),
      shopPhone: z.string(),
      shopWebsite: z.string().nullable(),
      ownerFirstName: z.string(),
      ownerLastName: z.string(),
      ownerEmail: z.string(),
      ownerPhone: z.string(),
      leadFirstName: z.string(),
      leadLastName: z.string(),
      leadEmail: z.string(),
      leadPhone: z.string(),
      tireServices: z.array(z.string()),
      otherServices: z.array(z.string()),
      hours: z.array(z.object({ weekday: z.int(), opens: z.int(), closes: z.int() })),
    }),
    story: z.array(
      z.object({
        at: instant,
        from: z.string().nullable(),
        to: z.string(),
        actor: z.string(),
        note: z.string().nullable(),
      }),
    ),
  }),
  async read({ app }, id) {
    const application = await findShopApplication(app, parseShopApplicationNumber(id) ?? 0)
    return application && { ...application, id: shopApplicationNumber(application.id) }
  },
})

export const shopReportRecord = defineRecord({
  noun: 'report',
  schema: z.object({
    id: z.string().meta({ examples: ['R-1'] }),
    state: z.string(),
    shop: z.string(),
    order: z.string(),
    bookingId: z.string(),
    kind: z.string(),
    lineNo: z.int().nullable().meta({ description: 'Null if the report is about every tire on the job' }),
    pieces: z.int(),
    note: z.string().nullable(),
    hasPhoto: z.boolean(),
    reportedAt: instant,
    reportedBy: z.string().nullable(),
    answer: z.string().nullable(),
    answeredAt: instant.nullable(),
    closedAt: instant.nullable(),
    closedBy: z.string().nullable(),
  }),
  async read({ app }, id) {
    const report = await findShopReport(app, parseShopReportNumber(id) ?? 0)
    return report && { ...report, id: shopReportNumber(report.id), order: orderNumber(report.orderId) }
  },
})

export const recalledTire = z.object({
  id: z.int(),
  order: z.string(),
  position: z.string(),
  tin: z.string(),
  tire: z.string(),
  state: z.string(),
  buyer: z.string().nullable().meta(customerData),
  installedAt: instant,
  toldAt: instant.nullable(),
  answer: z.string().nullable(),
})

export const recallRecord = defineRecord({
  noun: 'recall',
  description: 'The recall with the first affected tires. `GET /recalls/{id}/tires` lists all.',
  schema: z.object({
    campaign: z.string(),
    state: z.string(),
    maker: z.string(),
    line: z.string().nullable(),
    sizes: z.array(z.string()),
    defect: z.string(),
    remedy: z.string(),
    draftedAt: instant,
    draftedBy: z.string(),
    openedAt: instant.nullable(),
    closedAt: instant.nullable(),
    ranges: z.array(z.object({ plant: z.string(), code: z.string(), fromWeek: z.int(), toWeek: z.int() })),
    counts: z.object({ tires: z.int(), orders: z.int(), told: z.int(), bounced: z.int(), answered: z.int() }),
    tires: z.array(recalledTire),
  }),
  async read({ app, customers }, id) {
    const campaign = parseCampaign(id)
    const page = campaign === undefined ? undefined : await readRecall(app, { campaign, show: 'all', after: 0 })
    if (!page) return undefined
    const { recall, ranges, counts, tires } = page
    return {
      ...recall,
      ranges,
      counts,
      tires: tires.map((tire) => recalledTireView(tire, customers)),
    }
  },
})

/** A recall's tire as programs read it. */
export function recalledTireView(
  { orderId, ...tire }: RecallPage['tires'][number],
  customers: Pick<CustomerFields, 'isShown'>,
) {
  return { ...tire, order: orderNumber(orderId), buyer: customers.isShown ? tire.buyer : null }
}

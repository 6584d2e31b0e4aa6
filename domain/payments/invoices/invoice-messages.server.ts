/** Invoice mails to the company's owners, before the due date and once overdue. */
import { paths } from '#content/paths.ts'
import { invoiceText } from './invoices.ts'
import { selectDueByOwner, selectInvoice } from './invoices.sql.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock }

/** Days before the due date of the first reminder. */
const reminderDays = 3

/**
 * Emails company owners about invoices that are due soon or overdue, once per invoice and kind. Returns the number of
 * emails.
 */
export async function remindOfInvoices({ db, clock }: Deps): Promise<number> {
  const now = clock.now()
  const today = storeDay(now)
  const due = await selectDueByOwner(db, today.add({ days: reminderDays }))
  for (const { orderId, dueOn, accountId, email } of due) {
    const when = dueOn < today.toString() ? 'overdue' : 'soon'
    if (email)
      await queueMessage(db, {
        kind: 'invoice-due',
        key: `invoice-due:${orderId}:${when}:${accountId}`,
        to: email,
        orderId,
        at: now,
      })
  }
  return due.length
}

/** Returns the values of such a mail, with the invoice as it is when sent. */
export async function invoiceMessageValues(
  { db, clock, config }: Deps & { config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [orderId = ''] = keyParts(key)
  const invoice = await selectInvoice(db, Number(orderId))
  const isOverdue = invoice.dueOn < storeDay(clock.now()).toString()
  const words = {
    open: `${isOverdue ? 'was' : 'is'} due on ${dateText(invoice.dueOn)}`,
    paid: 'is paid',
    canceled: 'is not owed any more',
  }
  return {
    orderNumber: orderNumber(Number(orderId)),
    status: words[invoice.state],
    terms: invoiceText(invoice),
    consequence:
      isOverdue && invoice.state === 'open' ? 'Until it is paid, new orders of your company are paid by card.' : '',
    invoicesUrl: config.web.origin + paths.companyInvoices(),
    phone: config.store.phone,
  }
}

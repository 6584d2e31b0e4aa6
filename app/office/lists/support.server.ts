/** Addresses that email bounced from, and the templates of answers. */
import { allRows, defineList, idPlace, placeOfId, time, rowAtId } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { bouncesPerPage, listBounces } from '#domain/messaging/messages/messages.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { supportZone } from '#domain/messaging/support/support.ts'
import { listTemplates } from '#domain/messaging/support/support.server.ts'

const crumbs = [{ label: 'Messages', path: officePaths.officeMessages() }]

export const bounces = defineList({
  news: { cleared: 'We email this address again.' },
  name: 'bounces',
  title: 'Bounced email',
  path: officePaths.officeBounces(),
  crumbs,
  permission: 'requests.read',
  caption: 'Bounced email addresses, oldest first',
  empty: 'No bounced emails.',
  nouns: ['address', 'addresses'],
  columns: [
    { key: 'email', label: 'Email', isFixed: true },
    { key: 'order', label: 'Order' },
    { key: 'detail', label: 'What their server said' },
    { key: 'at', label: 'When', kind: 'time' },
    { key: 'act', label: 'Checked', isPageOnly: true, permission: 'requests.answer' },
  ],
  rowAt: (_reader, id) => rowAtId(id, 'lowest first'),
  read: async ({ app }, { after, before }) => {
    const found = await listBounces(app, idPlace(after ?? before) ?? 0)
    return {
      rows: found.map(({ id, email, detail, orderId, blockedAt }) => ({
        id: String(id),
        label: email,
        path: null,
        cells: {
          email,
          order: orderId === null ? null : orderNumber(orderId),
          detail: { text: detail ?? 'The recipient’s mail server refused it.', file: detail },
          at: time(blockedAt, supportZone),
        },
      })),
      next: found.length < bouncesPerPage ? null : placeOfId(found.at(-1)?.id ?? null),
    }
  },
})

export const templates = defineList({
  name: 'templates',
  title: 'Answer templates',
  path: officePaths.officeTemplates(),
  crumbs,
  permission: 'requests.read',
  caption: 'Answer templates',
  nouns: ['template', 'templates'],
  columns: [
    { key: 'name', label: 'Name', isFixed: true },
    { key: 'text', label: 'Text' },
    { key: 'by', label: 'Changed by' },
    { key: 'changed', label: 'Changed', kind: 'time' },
  ],
  read: ({ app }) =>
    allRows(listTemplates(app), ({ id, name, body, changedBy, changedAt }) => ({
      id: String(id),
      label: name,
      path: null,
      cells: { name, text: body, by: changedBy, changed: time(changedAt) },
    })),
})

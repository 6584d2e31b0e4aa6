import { z } from 'zod'
import type { Application } from '#application'
import { defineActions, formAction, type ActionCall } from '#app/office/define-actions.server.ts'
import type { ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  addShop,
  changeShop,
  changeStatus,
  findShopRecord,
  importShops,
  listAffected,
  type StatusInput,
} from '#domain/installer-portal/shops/shops.server.ts'
import {
  closeForm,
  closingChoicesForm,
  closingForm,
  maxShopFileBytes,
  newShopForm,
  pauseForm,
  profileForm,
  reopenForm,
  shopFileLimits,
  shopProfileMessages,
} from '#domain/installer-portal/shops/shops.ts'
import { importAction, importRefusals } from '#app/office/file-import.server.ts'

type Typed = Pick<Parameters<typeof changeStatus>[2], 'version' | 'seen' | 'choices'>

const setStatus = ({ app, by, id }: ActionCall, { version, seen, choices }: Typed, input: StatusInput) =>
  changeStatus(app, by, { code: id, version, seen, choices, input })

const nothingChosen = { byBooking: {}, rest: 'offer' } as const

/** The longest code that is looked up. */
const maxCode = 40

async function appointmentsToDecide(app: Application, record: ShopRecord) {
  if (!record.closing) return []
  const { appointments } = await listAffected(app, record, { to: 'decided', keepReason: '' })
  return appointments.map(({ id, orderId, start, keptReason }) => ({
    id,
    orderId,
    start: start.toString(),
    keptReason,
  }))
}

/** Why a shop’s profile can’t be changed. */
export const shopRefusals = {
  gone: null,
  'zip-unknown': { field: 'zip', text: shopProfileMessages['zip-unknown'] },
  'zone-moves': { field: 'zip', text: shopProfileMessages['zone-moves'] },
  'kind-fixed': { field: 'kind', text: shopProfileMessages['kind-fixed'] },
} as const

const statusRefusals = {
  past: { field: 'through', text: 'Those days have passed. Choose today or later.' },
  'last-day': { field: 'lastDay', text: 'Choose today or a later day within a year.' },
  'no-keep-reason': { field: 'keepReason', text: 'Enter why the appointments are kept.' },
  'no-change': 'The shop already has this status.',
  'not-kept':
    'Appointments can only stay during a pause or with a scheduled closing. Choose an offer or a refund for each.',
  'refund-not-allowed': {
    text: 'You don’t have permission to cancel orders. Choose an offer instead.',
    status: 403,
  },
  'no-refund': ({ orderId, why }: { orderId: number; why: string }) =>
    `Order ${orderNumber(orderId)} can’t be refunded. ${why}`,
  begun: ({ orderId }: { orderId: number }) =>
    `The car of order ${orderNumber(orderId)} is in service. Wait until the job is done.`,
} as const

export const shopActions = defineActions({
  resource: 'shops',
  noun: 'shop',
  permission: 'shops.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a shop',
        description: 'Invites its owner by email. Customers see it once onboarding is complete.',
        form: newShopForm,
      },
      ({ app, by }, draft) => addShop(app, by, draft),
      ({ code }) => code,
    ),
    change: formAction(
      { summary: 'Change a shop', description: 'Customers see the change within a second.', form: profileForm },
      ({ app, by, id }, draft) => changeShop(app, by, id, draft),
    ),
    pause: formAction(
      {
        summary: 'Pause bookings of a shop',
        description:
          'Without `through`, the pause lasts until `reopen`. Customers with an appointment on these days are emailed an offer of another time or shop, unless you choose `refund`, which cancels the order, or `keep`.',
        form: pauseForm,
      },
      (call, { from, through, reason, ...typed }) => setStatus(call, typed, { to: 'paused', from, through, reason }),
    ),
    suspend: formAction(
      {
        summary: 'Suspend a shop',
        description:
          'Customers don’t see it until it is reopened. Those with an appointment are emailed an offer of another time or shop, unless you choose `refund`.',
        permission: 'shops.close',
        form: closeForm,
      },
      (call, { reason, ...typed }) => setStatus(call, typed, { to: 'suspended', reason }),
    ),
    close: formAction(
      {
        summary: 'Close a shop',
        description:
          'Its page leads to shops nearby. Customers with an appointment are emailed an offer of another time or shop, unless you choose `refund`.',
        permission: 'shops.close',
        form: closeForm,
      },
      (call, { reason, ...typed }) => setStatus(call, typed, { to: 'closed', reason }),
    ),
    reopen: formAction(
      {
        summary: 'Reopen a shop, or end its pause',
        description: 'Reopening a suspended or closed shop also requires `shops.close`.',
        form: reopenForm,
      },
      (call, { version }) => setStatus(call, { version, choices: nothingChosen }, { to: 'open' }),
    ),
  },
  refusals: { ...shopRefusals, ...statusRefusals },
  async read(app, id) {
    const record = await findShopRecord(app, id.slice(0, maxCode))
    if (!record) return undefined
    const { name, kind, street, city, zip, phone, email, website, about, amenities, services } = record
    const { rimMinIn, rimMaxIn, aspectMin, receivingMinutes, version } = record
    return {
      name,
      kind,
      street,
      city,
      zip,
      phone: phone.replaceAll(/\D/g, ''),
      email,
      website,
      about,
      amenities: amenities.join(', '),
      services,
      rimMinIn,
      rimMaxIn,
      aspectMin,
      receivingMinutes,
      version,
    }
  },
})

/** The scheduled closing of a shop. */
export const shopClosingActions = defineActions({
  resource: 'shops',
  part: 'closing',
  noun: 'scheduled closing',
  permission: 'shops.close',
  actions: {
    schedule: formAction(
      {
        summary: 'Schedule the closing of a shop, or change its last day',
        description:
          'New bookings after `lastDay` are refused from now on. Later appointments are decided now or with `decide`, or moved with their orders. The shop closes after its last day, once each of them is decided.',
        form: closingForm,
      },
      (call, { lastDay, reason, keepReason, ...typed }) =>
        setStatus(call, typed, { to: 'closing', lastDay, reason, keepReason }),
    ),
    decide: formAction(
      {
        summary: 'Decide on appointments after the last day of a shop',
        description:
          'Customers are emailed an offer of another time or shop for `offer`. `refund` cancels the order. `keep` requires `keepReason`, and `later` changes nothing.',
        form: closingChoicesForm,
      },
      (call, { keepReason, ...typed }) => setStatus(call, typed, { to: 'decided', keepReason }),
    ),
    withdraw: formAction(
      {
        summary: 'Withdraw the closing of a shop',
        description:
          'The shop takes bookings for all days again. Appointments that were moved or canceled don’t change.',
        form: reopenForm,
      },
      (call, { version }) => setStatus(call, { version, choices: nothingChosen }, { to: 'withdrawn' }),
    ),
  },
  refusals: { gone: null, ...statusRefusals },
  async read(app, id) {
    const record = await findShopRecord(app, id.slice(0, maxCode))
    if (!record) return undefined
    const { version, status, closing } = record
    const lastDay = closing?.lastDay ?? null
    return { version, status, lastDay, appointments: await appointmentsToDecide(app, record) }
  },
  facts: z.object({
    status: z.enum(['open', 'suspended', 'closed']),
    appointments: z
      .array(z.object({ id: z.string(), orderId: z.int(), start: z.string(), keptReason: z.string().nullable() }))
      .meta({ description: 'Those after the last day. Each without a reason is undecided' }),
  }),
})

export const shopFileActions = defineActions({
  resource: 'shops',
  noun: 'shop file',
  permission: 'shops.edit',
  hasNoId: true,
  actions: {
    import: importAction(
      {
        summary: 'Import shops',
        description: `CSV as the list is exported, ${shopFileLimits}. A row without a code adds a shop or van and invites its owner by email, and other rows change their profiles. If a row has an error, no rows are imported.`,
        result: z.object({ added: z.int(), changed: z.int() }),
      },
      maxShopFileBytes,
      importShops,
    ),
  },
  refusals: importRefusals(maxShopFileBytes),
})

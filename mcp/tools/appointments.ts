/** Tools that find and hold a time for a cart. */
import { z } from 'zod'
import { perform } from '#api/perform.ts'
import { hold } from '#api/checkout-steps.ts'
import { shopChoices, shopTimes } from '#api/routes/delivery.ts'
import { day, instant } from '#api/schemas.ts'
import { dropOffWindow } from '#api/times.ts'
import { holdMinutes } from '#domain/scheduling/booking/booking.ts'
import { countOf, countOrNone } from '#platform/count-text.ts'
import { cartKey, idempotencyKey, shopId } from '#mcp/arguments.ts'
import { told, tool, withCart } from '#mcp/tool.ts'
import { localTime } from '#mcp/words.ts'

const local = z
  .string()
  .meta({ description: 'The same on the clock of the shop, without a zone', examples: ['2026-11-24T09:30'] })
const date = day.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)

const timesOfShop = z.strictObject({
  timeZone: z.string(),
  arrivesOn: day.meta({ description: 'When the tires are at the shop' }),
  minutes: z.int().meta({ description: 'How long installation takes' }),
  days: z.array(
    z.strictObject({
      date: day,
      state: z.string(),
      reason: z.string().nullable().meta({ description: 'Reason that no times are available' }),
      times: z.array(z.strictObject({ start: instant, local })),
      dropOffs: z.array(z.strictObject({ window: dropOffWindow, start: instant, end: instant, readyBy: instant })),
    }),
  ),
})

function freeTimes(
  { timeZone, arrivesOn, minutes, days }: z.output<typeof shopTimes>,
  asked: { from?: string | undefined; days: number },
): z.input<typeof timesOfShop> {
  const first = asked.from ?? days.find(({ state }) => state === 'free')?.date ?? days[0]?.date ?? arrivesOn
  return {
    timeZone,
    arrivesOn,
    minutes,
    days: days
      .filter((each) => each.date >= first)
      .slice(0, asked.days)
      .map((each) => ({
        date: each.date,
        state: each.state,
        reason: each.reason,
        times: each.times.filter(({ free }) => free).map(({ start }) => ({ start, local: localTime(start, timeZone) })),
        dropOffs: each.dropOffs
          .filter(({ free }) => free)
          .map(({ window, start, end, readyBy }) => ({ window, start, end, readyBy })),
      })),
  }
}

export const appointmentTools = [
  tool({
    name: 'list_appointment_times',
    title: 'List free times',
    description:
      'For a cart with a ZIP: without shopId the shops (or vans) that install it, with the price out the door and the first free times of each; with shopId the free times of that shop, day by day, after the tires have arrived. Times are instants; `local` is the shop’s own clock.',
    audience: 'cart',
    effect: 'read',
    scope: 'orders:read',
    input: z.strictObject({
      cartKey,
      shopId: shopId.optional(),
      kind: z.enum(['shop', 'van']).default('shop'),
      from: date.optional().meta({ description: 'The first day; the first with free times if left out' }),
      days: z.int().min(1).max(31).default(7),
    }),
    output: z.strictObject({ shops: shopChoices, times: timesOfShop.nullable() }),
    async run(call, { cartKey: key, shopId: at, kind, ...asked }) {
      const mine = withCart(call, key)
      if (at === undefined) {
        const listed = await perform('listShopChoices', shopChoices, { query: { kind } }, mine)
        if (!listed.ok) return listed
        return told(
          { shops: listed.value, times: null },
          `${countOrNone(listed.value.length, kind)} can install this cart.`,
        )
      }
      const read = await perform('listTimes', shopTimes, { params: { shopId: at } }, mine)
      if (!read.ok) return read
      const times = freeTimes(read.value, asked)
      const free = times.days.reduce((sum, each) => sum + each.times.length + each.dropOffs.length, 0)
      return told({ shops: [], times }, `${countOrNone(free, 'free time')} in ${times.timeZone}.`)
    },
  }),
  tool({
    name: 'hold_appointment',
    title: 'Hold a time',
    description: `Holds a time at a shop for the cart for ${countOf(holdMinutes, 'minute')} and chooses that shop; an earlier hold of the cart is released. Send \`start\` from list_appointment_times, or \`date\` and \`window\` for a drop-off. If somebody was faster, the answer has the next free times. It is booked when the person has ordered: get_checkout_link.`,
    audience: 'cart',
    effect: 'change',
    scope: 'orders:write',
    input: z.strictObject({
      cartKey,
      shopId,
      start: instant.max(40).optional(),
      date: date.optional().meta({ description: 'The day of a drop-off' }),
      window: dropOffWindow.optional(),
      idempotencyKey,
    }),
    output: hold.extend({ local }),
    async run(call, { cartKey: key, idempotencyKey: onceKey, ...body }) {
      const held = await perform('holdSlot', hold, { body, onceKey }, withCart(call, key))
      if (!held.ok) return held
      const { start, timeZone, expiresAt } = held.value
      const at = localTime(start, timeZone)
      const until = expiresAt === null ? '' : ` until ${localTime(expiresAt, timeZone).replace('T', ' ')}`
      return told({ ...held.value, local: at }, `Held: ${at.replace('T', ' ')} (${timeZone})${until}.`)
    },
  }),
  tool({
    name: 'release_appointment',
    title: 'Release the held time',
    description: 'Gives the held time of the cart back. Do it when the person does not want it, so that others can.',
    audience: 'cart',
    effect: 'remove',
    scope: 'orders:write',
    input: z.strictObject({ cartKey }),
    output: z.strictObject({ released: z.boolean() }),
    async run(call, { cartKey: key }) {
      const released = await perform('releaseHold', z.null(), {}, withCart(call, key))
      return released.ok ? told({ released: true }, 'No time is held.') : released
    },
  }),
]

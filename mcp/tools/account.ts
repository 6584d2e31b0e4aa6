/** Tools about the account of a person who let the agent in. */
import { z } from 'zod'
import { perform } from '#api/perform.ts'
import { garageVehicle } from '#api/routes/garage.ts'
import { ordersOfAccount } from '#api/order-view.ts'
import { told, tool } from '#mcp/tool.ts'
import { countOrNone } from '#platform/count-text.ts'

export const accountTools = [
  tool({
    name: 'list_orders',
    title: 'List the account’s orders',
    description:
      'The orders of the account that let you in, newest first, a page at a time. Needs a token of the account’s owner with orders:read.',
    audience: 'account',
    effect: 'read',
    scope: 'orders:read',
    input: z.strictObject({
      cursor: z.string().max(400).optional().meta({ description: 'The `next` of the page before' }),
    }),
    output: ordersOfAccount,
    async run(call, query) {
      const listed = await perform('listOrders', ordersOfAccount, { query }, call)
      return listed.ok ? told(listed.value, `${countOrNone(listed.value.orders.length, 'order')}.`) : listed
    },
  }),
  tool({
    name: 'list_saved_vehicles',
    title: 'List the account’s vehicles',
    description:
      'The vehicles in the garage of the account that let you in, with the key that other tools take as `vehicle`. Needs a token of the account’s owner with account:read.',
    audience: 'account',
    effect: 'read',
    scope: 'account:read',
    input: z.strictObject({}),
    output: z.strictObject({ vehicles: z.array(garageVehicle) }),
    async run(call) {
      const listed = await perform('listGarage', z.array(garageVehicle), {}, call)
      if (!listed.ok) return listed
      return told({ vehicles: listed.value }, listed.value.map(({ name }) => name).join(', ') || 'No vehicle is saved.')
    },
  }),
]

/** Tools about orders. */
import { z } from 'zod'
import { perform } from '#api/perform.ts'
import { status } from '#api/order-view.ts'
import { zip } from '#api/schemas.ts'
import { told, tool } from '#mcp/tool.ts'

export const orderTools = [
  tool({
    name: 'track_order',
    title: 'Track an order',
    description:
      'Where an order is, by its number and the ZIP it goes to, as on the tracking page. Failed attempts are counted. It has no personal data; canceling and changing an order are done by the person, on the page or by the link in the store’s email.',
    audience: 'anyone',
    effect: 'read',
    input: z.strictObject({
      orderNumber: z
        .string()
        .min(1)
        .max(24)
        .meta({ examples: ['S-104001'] }),
      zip: zip.meta({ description: 'The ZIP the order is delivered to' }),
    }),
    output: status,
    async run(call, { orderNumber: order, zip: to }) {
      const found = await perform('lookUpOrder', status, { body: { order, zip: to } }, call)
      if (!found.ok) return found
      return told(found.value, `Order ${found.value.orderNumber}: ${found.value.progress}.`)
    },
  }),
]

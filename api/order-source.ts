/** An order comes from a partner's widget, a military exchange, or the store. */
import { z } from 'zod'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'

export const orderSource = {
  channel: z
    .enum(['widget', 'military-exchange'])
    .nullable()
    .meta({ description: 'Where it came from; null for the store itself' }),
  widgetId: z.string().nullable().meta({ description: 'The partner’s widget it came from' }),
  exchangeCustomerId: z.string().nullable().meta({ description: 'The military exchange’s customer it is for' }),
}

/** `isOwn`: the caller may see all of the order. */
export function sourceView(
  { widget, purchase }: Pick<OrderView, 'widget' | 'purchase'>,
  isOwn: boolean,
): z.input<z.ZodObject<typeof orderSource>> {
  const channel = purchase?.channel === 'military-exchange' ? purchase.channel : widget ? 'widget' : null
  const exchangeCustomerId = isOwn ? (purchase?.customerId ?? null) : null
  return { channel, widgetId: widget?.id ?? null, exchangeCustomerId }
}

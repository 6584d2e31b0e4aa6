import { Hono } from 'hono'
import { newId } from '../ids.ts'
import { isSameSecret } from '../signature.ts'
import { readOrder, responseDocument } from './documents.ts'
import { supplierNames, type Suppliers } from './suppliers.ts'

/**
 * Receives cXML OrderRequests, mounted at /cxml. As on a real network, the response only confirms receipt. The
 * supplier's answer follows later. The same payloadID gets the same response.
 */
export function createSuppliersApi(suppliers: Suppliers): Hono {
  const app = new Hono()
  app.post('/', async (c) => {
    const respond = (code: number, words: string) => {
      const body = responseDocument(code, words, { id: `${newId('msg_')}@sandbox`, at: suppliers.now() })
      return c.body(body, 200, { 'content-type': 'text/xml; charset=utf-8' })
    }
    const order = readOrder(await c.req.text())
    if (!order) return respond(406, 'This is not an order that can be read.')
    if (!isSameSecret(order.secret, suppliers.secret)) return respond(401, 'The credentials are wrong.')
    if (order.name === supplierNames.down) return c.text('The network is out of order.', 503)
    if (order.name === supplierNames.refuses) return respond(406, 'This address is not served.')
    if (order.name === supplierNames.slow)
      await new Promise((resolve) => setTimeout(resolve, suppliers.stallSeconds * 1000).unref())
    if (order.type === 'delete')
      return suppliers.withdraw(order.withdraws ?? '')
        ? respond(200, 'Withdrawn.')
        : respond(409, 'The order has left or is unknown.')
    return suppliers.take(order) ? respond(201, 'Taken.') : respond(409, 'Another message has this order number.')
  })
  return app
}

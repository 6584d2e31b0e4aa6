import type { HttpBindings } from '@hono/node-server'
import type { CartRefusal } from '#app/forms/cart-form.server.ts'
import type { Observed } from '#app/server/observe.ts'
import type { Visitor } from '#http/visitor.ts'

/** What the steps of the web app hand on with a request. */
export type AppRequest = {
  Bindings: Partial<HttpBindings>
  Variables: Observed['Variables'] & {
    visitor: Visitor
    /** What was posted, whole; null for what reads. */
    body: ArrayBuffer | null
    /** Why tires were not put into the cart, for its page to say. */
    cartRefusal: CartRefusal | undefined
  }
}

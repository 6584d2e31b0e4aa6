import type { HttpBindings } from '@hono/node-server'
import type { CartRefusal } from '#app/forms/cart-form.server.ts'
import type { Observed } from '#app/server/observe.ts'
import type { Visitor } from '#http/visitor.ts'

/** What the web app's middleware passes along with a request. */
export type AppRequest = {
  Bindings: Partial<HttpBindings>
  Variables: Observed['Variables'] & {
    visitor: Visitor
    /** The entire posted body; null for requests that only read. */
    body: ArrayBuffer | null
    /** Why tires could not be added to the cart, for the cart page to show. */
    cartRefusal: CartRefusal | undefined
  }
}

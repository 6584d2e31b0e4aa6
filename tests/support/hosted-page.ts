/** The provider's own payment page, as a browser without script uses it. */
import { expect } from 'vitest'
import type { Visitor } from '#tests/support/visitor.ts'

/** Pays with a good card through the page's form; returns the redirect back to the store. */
export async function payOnHostedPage(visitor: Visitor, page: URL): Promise<Response> {
  const paid = await visitor.ask(page, {
    form: { number: '4242424242424242', expiry: '12/39', cvc: '123', zip: '60614', email: '' },
  })
  expect(paid.status).toBe(303)
  return visitor.ask(new URL(paid.headers.get('location') ?? '', page))
}

/** What must be true of quotes and of the orders made from them. */
import type { Invariant } from './invariants.ts'

export const quoteInvariants: readonly Invariant[] = [
  {
    name: 'quote-ordered-as-promised',
    severity: 'error',
    of: 'ordered quotes',
    statement: `
      select 'quote ' || quote.id as what, sales_order.placed_at < quote.expires_at and cart.quote_id = quote.id and not exists (
        select from jsonb_array_elements(sales_order.breakdown -> 'lines') line
        where line ->> 'label' = 'Quoted price' and not exists (
          select from sales_quote_line quoted where quoted.quote_id = quote.id and quoted.item_id = (line ->> 'articleId')::int
            and quoted.unit_cents = (line ->> 'unitCents')::int and quoted.quantity >= (line ->> 'quantity')::int)) as holds
      from sales_quote quote join sales_order on sales_order.id = quote.order_id join cart on cart.id = sales_order.cart_id`,
  },
  {
    name: 'quoted-price-has-its-quote',
    severity: 'error',
    of: 'orders of carts opened from a quote',
    statement: `
      select 'order ' || sales_order.id as what, quote.order_id is not distinct from sales_order.id
        or not exists (select from jsonb_array_elements(sales_order.breakdown -> 'lines') line where line ->> 'label' = 'Quoted price') as holds
      from cart join sales_order on sales_order.cart_id = cart.id join sales_quote quote on quote.id = cart.quote_id where cart.quote_id is not null`,
  },
  {
    name: 'quote-vehicles-together',
    severity: 'error',
    of: 'vehicles of quotes after the first',
    statement: `
      select 'quote ' || main.id as what, main.main_id is null and other.email = main.email and other.price_label = main.price_label
        and other.sent_at is not distinct from main.sent_at as holds
      from sales_quote main join sales_quote other on other.main_id = main.id`,
  },
  {
    name: 'lapsed-quote-expired',
    severity: 'warning',
    of: 'quotes that can be opened',
    statement: `
      select 'quote ' || sales_quote.id as what, expires_at > moment.now - interval '1 hour' as holds
      from sales_quote, moment where state in ('sent', 'delivered', 'bounced', 'opened')`,
  },
]

/** Invariants of purchasing systems' orders and documents. */
import type { Invariant } from './invariants.ts'

export const purchasingInvariants: readonly Invariant[] = [
  {
    name: 'purchase-is-its-order',
    severity: 'error',
    of: 'orders of purchasing systems',
    statement: `
      select 'order ' || sold.id as what, sold.company_id = purchase.company_id and sold.buyer_id is null
        and sold.billing ->> 'poNumber' = purchase.buyer_order_id as holds
      from purchasing_order purchase left join sales_order sold on sold.id = purchase.order_id`,
  },
  {
    name: 'purchase-number-once',
    severity: 'error',
    of: 'numbers of purchasing systems',
    statement: `
      select 'order ' || min(order_id) || ' as ' || buyer_order_id as what, count(*) = 1 as holds
      from purchasing_order group by company_id, buyer_order_id`,
  },
  {
    name: 'purchase-lines-are-its-price',
    severity: 'error',
    of: 'prices of orders of purchasing systems',
    // Sales tax and state fee follow the address; an order that was changed has other lines.
    statement: `
      select 'order ' || sold.id as what, coalesce((
          select sum(quantity::bigint * unit_cents) from purchasing_order_line line
          where line.order_id = sold.id and line.part_id <> 'TIRE-FEE'), 0) = sold.total_cents - sold.tax_cents - sold.tire_fee_cents as holds
      from purchasing_order purchase join sales_order sold on sold.id = purchase.order_id
      where not exists (select from order_change where order_id = sold.id)`,
  },
  {
    name: 'exchange-order-at-its-price',
    severity: 'error',
    of: 'prices of military exchanges',
    statement: `
      select 'order ' || sold.id as what, case purchase.channel
        when 'military-exchange' then sold.breakdown ->> 'channel' = purchase.channel and sold.tax_cents = 0
        else sold.breakdown ->> 'channel' is null end as holds
      from purchasing_order purchase join sales_order sold on sold.id = purchase.order_id`,
  },
  {
    name: 'purchase-is-told',
    severity: 'warning',
    of: 'confirmed orders of purchasing systems with an address',
    statement: `
      select 'order ' || sold.id as what, exists (select from purchasing_document where order_id = sold.id and kind = 'confirmation') as holds
      from purchasing_order purchase join sales_order sold on sold.id = purchase.order_id
      join purchasing_system system on system.company_id = purchase.company_id cross join moment
      where system.document_url is not null and sold.state = 'confirmed'
        and greatest(sold.placed_at, system.set_at) < moment.now - interval '15 minutes'`,
  },
  {
    name: 'purchasing-document-is-tried',
    severity: 'warning',
    of: 'documents to purchasing systems that were not tried yet',
    statement: `
      select 'document ' || id as what, made_at > moment.now - interval '1 hour' as holds
      from purchasing_document, moment where state = 'waiting' and attempts = 0`,
  },
]

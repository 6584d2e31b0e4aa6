/** What must be true of promotions, coupons and minimum advertised prices. */
import type { Invariant } from './invariants.ts'

/** Orders with a coupon in their price. */
const couponOrders = `sales_order join coupon_use on coupon_use.order_id = sales_order.id join coupon on coupon.id = coupon_use.coupon_id`

export const offerInvariants: readonly Invariant[] = [
  {
    name: 'offers-never-edited',
    severity: 'error',
    of: 'triggers of promotions, coupons, rebates and price lists',
    statement: `
      select 'table ' || name as what, exists (select from pg_trigger where tgrelid = name::regclass and tgname = name || '_never_edited' and tgenabled = 'O') as holds
      from (values ('promotion'), ('promotion_plan'), ('coupon'), ('rebate'), ('tire_filter'), ('price_list_version'), ('price_list_entry'), ('pay_later_offer')) as part (name)`,
  },
  {
    name: 'price-list-as-uploaded',
    severity: 'error',
    of: 'price lists with versions',
    // Each version counts from its start until its end or the next one's start.
    statement: `
      with owed as (
        select price_list_id, array_agg(row(brand_id, product_line_id, size_id, item_id, kind, rate_ppm, amount_cents, since, nullif(least(until, ends), 'infinity'))::text
          order by row(brand_id, product_line_id, size_id, item_id, kind, rate_ppm, amount_cents, since, nullif(least(until, ends), 'infinity'))::text) as rules
        from (
          select v.price_list_id, e.*, greatest(e.starts_at, v.starts_at) as since, v.until, coalesce(e.ends_at, 'infinity') as ends
          from (
            select *, least(coalesce(ends_at, 'infinity'), coalesce(lead(starts_at) over (partition by price_list_id order by starts_at), 'infinity')) as until
            from price_list_version where starts_at is not null) v
          join price_list_entry e on e.version_id = v.id) entries
        where since < least(until, ends) group by price_list_id),
      kept as (
        select price_list_id, array_agg(row(brand_id, product_line_id, size_id, item_id, kind, rate_ppm, amount_cents, starts_at, ends_at)::text
          order by row(brand_id, product_line_id, size_id, item_id, kind, rate_ppm, amount_cents, starts_at, ends_at)::text) as rules
        from price_rule group by price_list_id)
      select 'price list ' || slug as what, kept.rules is not distinct from owed.rules as holds
      from price_list left join owed on owed.price_list_id = price_list.id left join kept on kept.price_list_id = price_list.id
      where exists (select from price_list_version where price_list_id = price_list.id and starts_at is not null)`,
  },
  {
    name: 'promotion-as-planned',
    severity: 'error',
    of: 'promotions made in the office',
    statement: `
      select 'promotion ' || promotion.id as what,
        (promotion.kind, promotion.amount, promotion.funded_by, promotion.brand_id, promotion.product_line_id, promotion.item_id, promotion.filter_id, promotion.daily, promotion.link_to_coverage)
          is not distinct from (plan.kind, plan.amount, plan.funded_by, plan.brand_id, plan.product_line_id, plan.item_id, plan.filter_id, plan.daily, plan.link_to_coverage) as holds
      from promotion_plan plan join promotion on promotion.id = plan.promotion_id`,
  },
  {
    name: 'approval-request-has-its-draft',
    severity: 'error',
    of: 'requests to approve promotions, coupons and price lists',
    statement: `
      select kind || ' ' || reference as what, case kind
          when 'promotion' then exists (select from promotion_plan where id::text = reference and promotion_id is null)
          when 'coupon' then exists (select from coupon where id::text = reference and starts_at is null)
          else exists (select from price_list_version where id::text = reference and starts_at is null) end as holds
      from concession where state = 'requested' and kind in ('promotion', 'coupon', 'price-list')`,
  },
  {
    name: 'coupon-uses-counted',
    severity: 'error',
    of: 'coupons',
    statement: `
      select 'coupon ' || code as what, uses <= coupon.uses_most and uses = (select count(*) from coupon_use where coupon_id = coupon.id and canceled_at is null) as holds
      from coupon join coupon_tally on coupon_tally.coupon_id = coupon.id`,
  },
  {
    name: 'coupon-used-as-offered',
    severity: 'error',
    of: 'uses of coupons',
    statement: `
      select 'order ' || sales_order.id as what, breakdown -> 'program' ->> 'kind' = 'coupon' and breakdown -> 'program' ->> 'id' = code
        and placed_at >= coupon.starts_at and placed_at < coupon.ends_at
        and (sales_order.state <> 'canceled' or coupon_use.canceled_at is not null) as holds
      from ${couponOrders}`,
  },
  {
    name: 'coupon-order-has-its-use',
    severity: 'error',
    of: 'orders with a coupon',
    statement: `
      select 'order ' || id as what, exists (select from coupon_use where order_id = sales_order.id) as holds
      from sales_order where breakdown -> 'program' ->> 'kind' = 'coupon'`,
  },
  {
    name: 'store-card-used-as-offered',
    severity: 'error',
    of: 'orders with the discount of the store card',
    statement: `
      select 'order ' || sales_order.id as what, breakdown -> 'tender' ->> 'kind' is not distinct from 'store-card' and store_card_use.order_id is not null
        and (sales_order.state = 'canceled') <= (store_card_use.canceled_at is not null) as holds
      from sales_order left join store_card_use on store_card_use.order_id = sales_order.id
      where breakdown -> 'tender' ->> 'kind' = 'store-card' or store_card_use.order_id is not null`,
  },
  {
    name: 'coupon-not-below-map',
    severity: 'error',
    of: 'tires of orders with a coupon',
    // A minimum price set later doesn't apply to the order.
    statement: `
      select 'order ' || sales_order.id as what, (line ->> 'grossCents')::int - (line ->> 'itemPromotionCents')::int - (line ->> 'programCents')::int
        >= item.map_cents * (line ->> 'quantity')::int as holds
      from ${couponOrders} cross join jsonb_array_elements(breakdown -> 'lines') line join item on line ->> 'kind' = 'tire' and item.id = (line ->> 'articleId')::int
      where item.map_cents is not null and item.map_set_at < placed_at and (line ->> 'programCents')::int > 0`,
  },
  {
    name: 'promotion-not-below-map',
    severity: 'warning',
    of: 'tires with a minimum price on promotion',
    statement: `
      select 'SKU ' || item.sku || ', promotion ' || promotion.id as what, item.map_cents <= case kind
          when 'Percentage' then retail_cents - round(retail_cents * amount::numeric / 100) when 'Flat Amount' then retail_cents - amount
          when 'Buy3Get1' then retail_cents * 3 / 4.0 else retail_cents * greatest(4 - amount, 0) / 4.0 end as holds
      from item join product_line on product_line.id = item.product_line_id join promotion on not already_applied
        and (promotion.item_id is null or promotion.item_id = item.id) and (promotion.product_line_id is null or promotion.product_line_id = item.product_line_id)
        and (promotion.brand_id is null or promotion.brand_id = product_line.brand_id)
        and (promotion.filter_id is null or exists (select from tires_of_filter(promotion.filter_id) filtered where filtered.item_id = item.id))
        and not exists (select from promotion_exclusion left_out where left_out.promotion_id = promotion.id and left_out.item_id = item.id), moment
      where item.map_cents is not null and item.active and ends_at > moment.now`,
  },
]

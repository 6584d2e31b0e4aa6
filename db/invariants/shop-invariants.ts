/** What must be true of every shop and its application; a part of `invariants.ts`. */
import type { Invariant } from './invariants.ts'

export const shopInvariants: readonly Invariant[] = [
  {
    name: 'shop-in-set-up-is-not-offered',
    severity: 'error',
    of: 'shops',
    statement: `select 'shop ' || id as what, not (active and in_set_up) as holds from shop`,
  },
  {
    name: 'approved-shop-has-its-owner',
    severity: 'error',
    of: 'approved applications of shops',
    // Owners change later, but a shop is never without one.
    statement: `
      select 'application ' || asked.id as what, exists (
        select from shop_member member where member.shop_id = asked.shop_id and member.role = 'owner' and member.ended_at is null)
        and exists (select from shop_hours where shop_hours.shop_id = asked.shop_id) as holds
      from shop_application asked where asked.state = 'approved'`,
  },
  {
    name: 'shop-application-is-written-down',
    severity: 'error',
    of: 'applications of shops',
    statement: `
      select 'application ' || asked.id as what, asked.state = (
        select to_state from shop_application_event event where event.application_id = asked.id order by event.id desc limit 1) as holds
      from shop_application asked`,
  },
  {
    name: 'opened-shop-is-complete',
    severity: 'error',
    of: 'shops that their owners opened',
    statement: `
      select 'shop ' || shop.id as what, not shop.in_set_up
        and exists (select from shop_hours where shop_id = shop.id)
        and exists (select from shop_bay where shop_id = shop.id and kind = 'bay')
        and exists (select from shop_rate where shop_id = shop.id) as holds
      from shop_set_up_step step join shop on shop.id = step.shop_id where step.step = 'opened'`,
  },
]

/** What must be true of every booking; a part of `invariants.ts`. */
import type { Invariant } from './invariants.ts'

export const bookingInvariants: readonly Invariant[] = [
  {
    name: 'bay-taken-once',
    severity: 'error',
    of: 'live bookings',
    statement: `
      select 'booking ' || id as what, not exists (
        select from booking other where other.bay_id = booking.bay_id and other.id <> booking.id and other.during && booking.during and other.state in ('held', 'confirmed')) as holds
      from booking where state in ('held', 'confirmed')`,
  },
  {
    name: 'own-job-overlap-has-reason',
    severity: 'error',
    of: 'planned jobs of shops',
    statement: `
      select 'own job ' || own.id as what, not exists (
        select from booking where booking.bay_id = own.bay_id and booking.during && own.during and booking.state in ('held', 'confirmed')
          and not exists (select from own_job_overlap lying where lying.own_job_id = own.id and lying.booking_id = booking.id)) as holds
      from own_job own where own.state = 'planned'`,
  },
  {
    name: 'booking-has-its-order',
    severity: 'error',
    of: 'confirmed bookings',
    statement: `
      select 'booking ' || booking.id as what,
        sales_order.state in ('confirmed', 'needs-confirmation') and sales_order.shop_id = booking.shop_id and sales_order.cart_id = booking.cart_id
        and (select count(*) from booking same where same.order_id = booking.order_id and same.state = 'confirmed') = 1 as holds
      from booking left join sales_order on sales_order.id = booking.order_id where booking.state = 'confirmed'`,
  },
  {
    name: 'booking-within-hours',
    severity: 'error',
    of: 'confirmed bookings',
    // Checks that day's hours, closures, bays, and technicians, unless shop staff confirmed the conflict.
    statement: `
      select 'booking ' || booking.id as what,
        booking_misfit(booking, 'infinity', booking.created_at) is null
        or exists (
          select from capacity_conflict shown
          where shown.booking_id = booking.id and shown.during = booking.during and shown.bay_id = booking.bay_id) as holds
      from booking where state = 'confirmed'`,
  },
  {
    name: 'calendar-changes-counted',
    severity: 'error',
    of: 'shops and what their calendars are made of',
    statement: `
      select 'shop ' || id as what, exists (select from shop_calendar where shop_id = shop.id) as holds from shop
      union all
      select 'table ' || name as what,
        (select count(*) from pg_trigger where tgrelid = name::regclass and tgname like 'calendar_version_on_%' and tgenabled = 'O') = triggers as holds
      from (values ('shop', 2), ('shop_hours', 3), ('shop_closure', 3), ('shop_bay', 3), ('shop_rate', 3), ('shop_service_price', 3), ('shop_capacity', 3), ('shop_price_list', 3), ('booking', 3), ('own_job', 3)) as part (name, triggers)`,
  },
  {
    name: 'installed-order-has-its-booking',
    severity: 'error',
    of: 'orders',
    // After a no-show, the customer books another appointment, and the missed one stays on the order.
    statement: `
      select 'order ' || id as what,
        case when fulfillment in ('shop', 'mobile') and state = 'confirmed'
          then booked.live = 1 or booked.live = 0 and booked.missed > 0 else booked.live + booked.missed = 0 end
        or exists (select from delay_notice where order_id = sales_order.id and appointment = 'freed')
        or exists (select from work_order where order_id = sales_order.id and work_order.state in ('refused', 'wrong-tires')) as holds
      from sales_order cross join lateral (
        select count(*) filter (where booking.state in ('confirmed', 'done')) as live, count(*) filter (where booking.state = 'no-show') as missed
        from booking where order_id = sales_order.id) booked
      where state <> 'returned'`,
  },
  {
    name: 'installation-has-its-vehicle',
    severity: 'error',
    of: 'orders with an installation',
    // Checkout requires the vehicle and refuses tires that don't fit it (rule FR46).
    statement: `
      select 'order ' || id as what, (vehicle is not null or vehicle_note is not null or fitment_verdict is not null)
        and fitment_verdict ->> 'verdict' is distinct from 'does_not_fit' as holds
      from sales_order where fulfillment in ('shop', 'mobile')`,
  },
  {
    name: 'tires-before-appointment',
    severity: 'error',
    of: 'confirmed bookings',
    statement: `
      select 'booking ' || booking.id as what,
        (lower(during) at time zone time_zone)::date >= (select coalesce(max(least(promised_on, (delivered_at at time zone time_zone)::date)), '-infinity')
          from shipment where shipment.order_id = booking.order_id) as holds
      from booking join shop on shop.id = booking.shop_id where booking.state = 'confirmed'`,
  },
]

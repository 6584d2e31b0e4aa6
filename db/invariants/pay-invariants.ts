/** Invariants of shop pay. Part of `invariants.ts`. */
import { INSTALLER_PAID_WITHIN_HOURS } from '#platform/business-constants.ts'
import type { Invariant } from './invariants.ts'

export const payInvariants: readonly Invariant[] = [
  {
    name: 'ended-job-has-its-pay',
    severity: 'error',
    of: 'finished and missed jobs',
    statement: `
      select 'booking ' || job.booking_id as what, pay.kind = case job.state when 'done' then 'finished' else 'no-show' end as holds
      from work_order job left join job_pay pay on pay.booking_id = job.booking_id where job.state in ('done', 'no-show')`,
  },
  {
    name: 'ended-appointment-has-its-pay',
    severity: 'error',
    of: 'appointments that were kept or missed',
    // Appointments before the store recorded pay have no pay.
    statement: `
      select 'booking ' || booking.id as what, pay.kind is not distinct from case booking.state when 'done' then 'finished' else 'no-show' end
        or pay.id is null and ended.at < coalesce((select min(at) from job_pay), 'infinity') as holds
      from booking left join job_pay pay on pay.booking_id = booking.id,
      lateral (select max(at) as at from booking_event where booking_id = booking.id) as ended
      where booking.state in ('done', 'no-show')`,
  },
  {
    name: 'pay-sent-in-time',
    severity: 'warning',
    of: 'jobs whose pay was sent',
    // Within the promised hours of the job, or of when the account was ready first. Not counted is pay that waited for the
    // provider (it refused, or an earlier transfer was under way), pay that lowered a debt of the shop, and a longer hold
    // that the office set before holds had a limit.
    statement: `
      select 'pay of appointment ' || pay.booking_id as what,
        transfer.intended_at <= greatest(pay.due_at, greatest(pay.at, coalesce(account.ready_at, account.made_at)) + make_interval(hours => ${INSTALLER_PAID_WITHIN_HOURS}))
          or exists (select from pay_transfer refused where refused.shop_id = pay.shop_id and refused.state = 'refused' and refused.intended_at between pay.at and transfer.intended_at)
          or exists (select from pay_transfer earlier where earlier.shop_id = pay.shop_id and earlier.id <> transfer.id and earlier.intended_at < transfer.intended_at and earlier.sent_at > pay.due_at)
          or exists (select from pay_transfer_item owed where owed.transfer_id = transfer.id and owed.amount_cents < 0) as holds
      from job_pay pay join pay_transfer_item item on item.job_pay_id = pay.id
        join pay_transfer transfer on transfer.id = item.transfer_id and transfer.state = 'sent'
        join payout_account account on account.shop_id = pay.shop_id`,
  },
  {
    name: 'job-pay-is-by-the-matrix',
    severity: 'error',
    of: 'paid jobs and no-shows',
    // The rate of the state, or else of all states, on the day of the job; for a service without tires, its price.
    statement: `
      select 'pay of appointment ' || pay.booking_id as what,
        case when pay.kind = 'no-show' then not exists (select from job_pay_line line where line.job_pay_id = pay.id)
          else pay.amount_cents = (select sum(line.quantity * line.rate_cents) from job_pay_line line where line.job_pay_id = pay.id) and not exists (
            select from job_pay_line line where line.job_pay_id = pay.id and line.rate_cents is distinct from case when line.service is not null then (
              select unit_cents from order_line where order_line.order_id = pay.order_id and order_line.service = line.service) else (
              select rate.cents from pay_rate rate where rate.job = line.job and line.rim_in between rate.rim_from_in and rate.rim_to_in
                and rate.valid @> pay.on_day and coalesce(rate.state_code, shop.state) = shop.state
              order by rate.state_code nulls last limit 1) end) end as holds
      from job_pay pay join shop on shop.id = pay.shop_id`,
  },
  {
    name: 'pay-adjustment-seen-twice',
    severity: 'error',
    of: 'adjustments of pay above the limit',
    statement: `
      select 'adjustment ' || id as what, state <> 'approved' or decided_by <> made_by as holds from pay_adjustment where is_over_limit`,
  },
  {
    name: 'pay-sent-once',
    severity: 'error',
    of: 'jobs, adjustments and reversals that were sent',
    statement: `
      select 'pay ' || coalesce(job_pay_id, adjustment_id, reversal_id) as what, count(*) = 1 as holds
      from pay_transfer_item group by coalesce(job_pay_id, adjustment_id, reversal_id)`,
  },
  {
    name: 'transfer-is-what-it-pays',
    severity: 'error',
    of: 'transfers to shops',
    statement: `
      select 'transfer ' || transfer.id as what, case when state = 'refused' then paid.cents is null else paid.cents is not distinct from transfer.amount_cents end as holds
      from pay_transfer transfer left join lateral (
        select sum(item.amount_cents) as cents from pay_transfer_item item
        where item.transfer_id = transfer.id and item.amount_cents = coalesce(
          (select amount_cents from job_pay where id = item.job_pay_id),
          (select amount_cents from pay_adjustment where id = item.adjustment_id and state = 'approved'),
          (select amount_cents from pay_reversal where id = item.reversal_id))) paid on true`,
  },
]

/** What must be true of saved cards and of memberships that renew with one. */
import type { Invariant } from './invariants.ts'

export const renewalInvariants: readonly Invariant[] = [
  {
    name: 'saved-cards-have-a-default',
    severity: 'error',
    of: 'accounts with saved cards',
    statement: `
      select 'account ' || account_id as what, count(*) filter (where is_default) = 1 as holds
      from saved_card where removed_at is null group by account_id`,
  },
  {
    name: 'renewal-charged-once',
    severity: 'error',
    of: 'renewals of memberships',
    // If the store charged the renewal, its one claimed charge has the announced amount.
    statement: `
      select 'renewal ' || renewal.id as what,
        case when renewal.state = 'renewed'
          then coalesce(next.starts_at >= last.ends_at and next.account_id is not distinct from last.account_id, false)
            and (select count(*) from payment where membership_term_id = renewal.term_id and claimed_at is not null) = 1
            and not exists (select from membership_renewal_try made join payment on payment.id = made.payment_id
              where made.renewal_id = renewal.id and (made.outcome = 'paid') <> (payment.claimed_at is not null))
            and not exists (select from membership_renewal_try made join payment on payment.id = made.payment_id
              where made.renewal_id = renewal.id and made.outcome = 'paid'
                and (payment.amount_cents <> renewal.amount_cents or payment.membership_term_id <> renewal.term_id))
          else not exists (select from membership_renewal_try made join payment on payment.id = made.payment_id
            where made.renewal_id = renewal.id and payment.claimed_at is not null)
        end as holds
      from membership_renewal renewal
      left join membership_term last on last.id = renewal.follows_term_id
      left join membership_term next on next.id = renewal.term_id`,
  },
  {
    name: 'renewal-told-before',
    severity: 'error',
    of: 'tries to charge a renewal',
    // A closed account's emails are deleted with it.
    statement: `
      select 'renewal ' || renewal.id || ', try ' || made.no as what, made.begun_at >= renewal.told_at + interval '7 days'
        and (exists (select from message where key = 'membership-renewing:' || renewal.id)
          or exists (select from membership_term where id = renewal.follows_term_id and account_id is null)) as holds
      from membership_renewal_try made join membership_renewal renewal on renewal.id = made.renewal_id`,
  },
]

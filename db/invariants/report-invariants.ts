/**
 * Invariants of the report tables (docs/decisions/026-large-tables.md). `Invariant` in invariants.ts describes the fields.
 */
export const reportInvariants = [
  {
    name: 'report-day-is-the-recount',
    severity: 'error',
    of: 'sums of counted days and accounts',
    statement: `
      with entry as (
        select (at at time zone 'America/New_York')::date as day, account, sum(amount_cents) as cents from ledger_entry
        where account = 'cash' or account in ('sales', 'sales-tax', 'tire-fee', 'excise-tax') and order_id is not null or account = 'refunds' and amount_cents > 0 and order_id is not null
        group by 1, 2),
      figure as (
        select day, account, sum(cents) as cents
        from report_figure cross join lateral (values
          ('sales', case kind when 'sale' then -amount_cents end), ('sales-tax', case kind when 'sale' then -tax_cents end), ('tire-fee', case kind when 'sale' then -fee_cents end),
          ('excise-tax', case kind when 'sale' then -excise_cents end), ('refunds', case kind when 'refund' then amount_cents end), ('cash', case kind when 'cash' then amount_cents end)) as part (account, cents)
        where cents is not null group by 1, 2)
      select day || ' ' || account as what, coalesce(entry.cents, 0) = coalesce(figure.cents, 0) as holds
      from entry full join figure using (day, account) join report_day using (day)
      where counted_at >= (day + 1)::timestamp at time zone 'America/New_York' + interval '2 minutes'`,
  },
  {
    name: 'report-brands-are-the-sales',
    severity: 'error',
    of: 'counted days, states and account types',
    statement: `
      select day || ' ' || state_code || ' ' || account_type as what,
        sum(case kind when 'brand' then amount_cents when 'sale' then -amount_cents end) = 0 as holds
      from report_figure where kind in ('brand', 'sale') group by day, state_code, account_type`,
  },
] as const

/** Invariants of email copies (docs/decisions/026-large-tables.md). `Invariant` in invariants.ts describes the fields. */
export const emailCopyInvariants = [
  {
    name: 'email-copy-was-sent',
    severity: 'error',
    of: 'copies of emails',
    statement: `
      select 'email ' || message_id as what, state in ('sent', 'bounced', 'complained') and message.sent_at = email_copy.sent_at as holds
      from email_copy join message on message.id = message_id`,
  },
  {
    name: 'months-are-prepared',
    severity: 'error',
    of: 'months of tables that are divided by month',
    statement: `
      select name || ' ' || to_char(month, 'YYYY-MM') as what, to_regclass(name || to_char(month, '_YYYYMM')) is not null as holds
      from tables_by_month(), generate_series(0, 1) as ahead, lateral (select date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead)) as at (month)`,
  },
] as const

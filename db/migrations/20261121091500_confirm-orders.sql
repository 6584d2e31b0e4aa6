-- An order that a rule asks about waits for the shopper: until when, and which rules asked.

alter table sales_order
  add column confirm_by timestamptz,
  add column confirmation_rules text[] not null default '{}';

-- What waits already has two days from now.
update sales_order set confirm_by = now() + interval '48 hours', cancel_until = now() + interval '48 hours'
  where state = 'needs-confirmation';

alter table sales_order
  -- Nothing waits without an end.
  add constraint sales_order_unconfirmed_until check (state <> 'needs-confirmation' or confirm_by is not null),
  -- What the shopper has not confirmed is neither charged nor shipped.
  add constraint sales_order_unconfirmed_unreleased check (state <> 'needs-confirmation' or released_at is null);

comment on constraint sales_order_unconfirmed_until on sales_order is 'Nothing waits for its shopper without an end.';
comment on constraint sales_order_unconfirmed_unreleased on sales_order is 'What the shopper has not confirmed is neither charged nor shipped.';

create index sales_order_unconfirmed on sales_order (confirm_by) where state = 'needs-confirmation';

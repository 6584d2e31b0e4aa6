-- What a partner gets of an order: the rate in force when it was placed, and what was booked and taken back, each as a row of its own.
create table widget_rate (
  id bigint generated always as identity primary key,
  widget_id text not null references partner_widget,
  -- A day of the store. Where two rates begin on one day, the one set later counts.
  from_day date not null,
  commission_bp integer not null check (commission_bp between 0 and 2000),
  set_at timestamptz not null,
  set_by text not null check (length(set_by) between 1 and 200),
  is_first boolean not null,
  -- The first one begins with the widget; any other on a day that is still to come, so that no order's rate changes.
  constraint widget_rate_ahead check (is_first or from_day > (set_at at time zone 'America/New_York')::date)
);
create unique index widget_rate_first on widget_rate (widget_id) where is_first;
create index widget_rate_by_widget on widget_rate (widget_id, from_day desc, id desc);
comment on table widget_rate is 'A partner''s share of its widget''s orders, from a day on. Only added to.';

insert into widget_rate (widget_id, from_day, commission_bp, set_at, set_by, is_first)
select id, (created_at at time zone 'America/New_York')::date, commission_bp, created_at, 'the application', true from partner_widget;
alter table partner_widget drop commission_bp;

create function commission_is_only_added_to() returns trigger language plpgsql as $$
begin
  raise exception 'Rates and commission are only added to.' using errcode = 'check_violation', constraint = 'commission_append_only';
end $$;
create trigger widget_rate_append_only before update or delete on widget_rate for each row execute function commission_is_only_added_to();
create trigger order_attribution_append_only before update on order_attribution for each row execute function commission_is_only_added_to();

create table partner_commission (
  id bigint generated always as identity primary key,
  order_id bigint not null references order_attribution,
  kind text not null check (kind in ('booked', 'reversed')),
  cents integer not null check (case kind when 'booked' then cents >= 0 else cents < 0 end),
  booked_at timestamptz not null
);
create unique index partner_commission_booked_once on partner_commission (order_id) where kind = 'booked';
create index partner_commission_by_order on partner_commission (order_id);
comment on table partner_commission is 'Commission booked for an order, once, and what was taken back of it since. Only added to.';
create trigger partner_commission_append_only before update or delete on partner_commission for each row execute function commission_is_only_added_to();

-- What is taken back was booked before, and is never more.
create function commission_within_booked() returns trigger language plpgsql as $$
begin
  perform from order_attribution where order_id = new.order_id for update;
  if new.kind = 'reversed' and coalesce((select sum(cents) from partner_commission where order_id = new.order_id), 0) + new.cents < 0 then
    raise exception 'More commission would be taken back than was booked.' using errcode = 'check_violation', constraint = 'commission_within_booked';
  end if;
  return new;
end $$;
create trigger commission_within_booked before insert on partner_commission for each row execute function commission_within_booked();

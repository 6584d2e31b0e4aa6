-- Shipping zones and exceptions of the store, beside the rates by region among the business terms.
create function shipping_zones_are_apart(plan jsonb) returns boolean language sql immutable as $$
  select count(*) = count(distinct state) from jsonb_path_query(plan, '$.zones[*].states[*]') as state
$$;

create table shipping_plan (
  id bigint generated always as identity primary key,
  plan jsonb not null,
  valid_from timestamptz not null,
  set_by text not null check (length(set_by) between 1 and 254),
  constraint shipping_plan_form check (
    jsonb_typeof(plan) = 'object' and coalesce(jsonb_typeof(plan -> 'zones') = 'array' and jsonb_typeof(plan -> 'exceptions') = 'array', false)
  ),
  constraint shipping_plan_bounded check (jsonb_array_length(plan -> 'zones') <= 20 and jsonb_array_length(plan -> 'exceptions') <= 50),
  constraint shipping_plan_state_once check (shipping_zones_are_apart(plan))
);
comment on table shipping_plan is 'Shipping zones of states and exceptions, one row per change; the newest applies. A whole plan per row, because an order needs the plan of the time it was placed.';
comment on constraint shipping_plan_state_once on shipping_plan is 'A state has one rate, so it is in one zone.';

create function shipping_plan_is_added_to() returns trigger language plpgsql as $$
begin
  raise exception 'Shipping plans are only added to.' using errcode = 'check_violation', constraint = 'shipping_plan_append_only';
end $$;
create trigger shipping_plan_append_only before delete or update on shipping_plan for each row execute function shipping_plan_is_added_to();
create trigger shipping_plan_not_emptied before truncate on shipping_plan for each statement execute function shipping_plan_is_added_to();
create trigger shipping_plan_raises_version after insert on shipping_plan for each statement execute function business_term_raises_version();

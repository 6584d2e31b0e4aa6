-- The store under a shop's own name: what the shop makes of it, and whether the office has switched it on.
create table branded_store (
  shop_id integer primary key references shop,
  -- What links carry: /?dealerCode=HALSTED.
  dealer_code text not null check (dealer_code ~ '^[A-Z0-9]{4,16}$'),
  name text not null check (length(name) between 2 and 40),
  tagline text check (length(tagline) between 1 and 60),
  -- The ground of the shop's bar. The text on it is ink or white, whichever reads better.
  brand_color text not null check (brand_color ~ '^#[0-9a-f]{6}$'),
  -- The ground of the main buttons, behind dark text.
  accent_color text not null check (accent_color ~ '^#[0-9a-f]{6}$'),
  logo text references store_logo,
  -- The shop's own host name, which leads to its store once the shop has shown that the name is theirs.
  host_name text check (host_name ~ '^[a-z0-9-]{1,63}([.][a-z0-9-]{1,63})+$' and length(host_name) <= 100),
  host_key text check (host_key ~ '^[A-Za-z0-9_-]{22}$'),
  host_verified_at timestamptz,
  -- Counts saves, so that a form stands on what it showed.
  version integer not null default 1,
  saved_at timestamptz not null,
  saved_by uuid not null references shop_member,
  switched_on boolean not null default false,
  decided_at timestamptz,
  decided_by text check (length(decided_by) between 1 and 100),
  -- Why the office switched it off.
  off_reason text check (length(off_reason) between 1 and 500),
  constraint branded_store_dealer_code_key unique (dealer_code),
  constraint branded_store_host_whole check ((host_name is null) = (host_key is null) and (host_verified_at is null or host_name is not null)),
  constraint branded_store_decided_whole check ((decided_at is null) = (decided_by is null) and (not switched_on or decided_at is not null and off_reason is null))
);
comment on table branded_store is 'The store under a shop''s own name: name, logo, colors, dealer code and host name, and whether the office switched it on.';
create unique index branded_store_host_once on branded_store (host_name) where host_verified_at is not null;
comment on index branded_store_host_once is 'A host name leads to one store: that of the shop that proved it.';

alter table cart add dealer_shop_id integer references branded_store;
comment on column cart.dealer_shop_id is 'The branded store it was filled in; null for our own.';
alter table sales_order add dealer_shop_id integer references branded_store;
comment on column sales_order.dealer_shop_id is 'The branded store it was placed in; null for our own.';
create index sales_order_by_dealer on sales_order (dealer_shop_id, placed_at desc) where dealer_shop_id is not null;

-- What was promised is what is claimed later: the plan is written down with the line that was sold.
alter table order_line add coverage_plan text check (coverage_plan in ('replacement', 'road-hazard'));
update order_line set coverage_plan = 'replacement' where kind = 'coverage';
alter table order_line add constraint order_line_coverage_has_a_plan check ((kind = 'coverage') = (coverage_plan is not null));
comment on column order_line.coverage_plan is 'Which plan was sold: replacement coverage, or the road hazard plan of branded stores.';

alter table coverage_claim add plan text not null default 'replacement' check (plan in ('replacement', 'road-hazard'));
alter table coverage_claim alter plan drop default;
comment on column coverage_claim.plan is 'The plan of the order, by whose table the claim is decided.';
alter table coverage_claim drop constraint claim_while_covered;
alter table coverage_claim add constraint claim_while_covered check (
  happened_on >= delivered_on
  and happened_on < delivered_on + case plan when 'replacement' then interval '36 months' else interval '24 months' end);
alter table coverage_claim add constraint claim_of_road_hazard_replaces check (plan <> 'road-hazard' or kind = 'replacement');
comment on constraint claim_of_road_hazard_replaces on coverage_claim is 'The road hazard plan pays for tires, never for labor.';

create or replace function claims_within_covered() returns trigger language plpgsql as $$
begin
  if new.state <> 'approved' or new.kind <> 'replacement' then
    return new;
  end if;
  perform from sales_order where id = new.order_id for no key update;
  if not exists (select from order_line where order_id = new.order_id and kind = 'coverage' and coverage_plan = new.plan)
    or new.tires + (select coalesce(sum(tires), 0) from coverage_claim other
        where other.order_id = new.order_id and other.item_id = new.item_id and other.state = 'approved' and other.kind = 'replacement' and other.id <> new.id)
      > (select coalesce(sum(quantity), 0) from order_line where order_id = new.order_id and item_id = new.item_id and kind = 'tire') then
    raise exception 'The order % has no such covered tire left.', new.order_id using errcode = 'check_violation', constraint = 'claims_within_covered';
  end if;
  return new;
end $$;

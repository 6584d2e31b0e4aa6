-- Promotions and coupons narrow their tires by type, category, size, season, vehicle class, or supplier. Their drafts can be edited.
create table tire_filter (
  id integer generated always as identity primary key,
  type_slug text references tire_type,
  category_slug text references category,
  size_id integer references size,
  season text check (season in ('all-season', 'all-weather', 'summer', 'winter')),
  vehicle_class text check (vehicle_class in ('passenger', 'light-truck', 'trailer', 'commercial')),
  supplier_code text references supplier (code),
  constraint tire_filter_once unique nulls not distinct (type_slug, category_slug, size_id, season, vehicle_class, supplier_code),
  constraint tire_filter_narrows check (num_nonnulls(type_slug, category_slug, size_id, season, vehicle_class, supplier_code) >= 1)
);
comment on table tire_filter is 'What narrows the tires of promotions and coupons. A value: equal filters are one row, which is never edited.';
comment on column tire_filter.season is 'The tread of the model.';
comment on column tire_filter.vehicle_class is 'Follows from the kind of the size, as tires_of_filter has it.';
comment on column tire_filter.supplier_code is 'Tires that one of its warehouses stocks, or has stocked.';

create function tire_filter_is_never_edited() returns trigger language plpgsql as $$
begin
  raise exception 'A tire filter is not edited: add another one.' using errcode = 'check_violation', constraint = 'tire_filter_never_edited';
end $$;
create trigger tire_filter_never_edited before update on tire_filter for each row execute function tire_filter_is_never_edited();
comment on trigger tire_filter_never_edited on tire_filter is 'Promotions and coupons share filters.';

-- A single statement that is stable, so that PostgreSQL plans it as part of the query that calls it.
create function tires_of_filter(of_filter integer) returns table (item_id integer) language sql stable as $$
  select item.id
  from tire_filter filter
    join item on filter.size_id is null or item.size_id = filter.size_id
    join size on size.id = item.size_id
    join product_line line on line.id = item.product_line_id
    join category on category.slug = line.category_slug
  where filter.id = of_filter
    and (filter.type_slug is null or category.type_slug = filter.type_slug)
    and (filter.category_slug is null or line.category_slug = filter.category_slug)
    and (filter.season is null or line.tread = filter.season)
    and (filter.vehicle_class is null or filter.vehicle_class = case
      when size.kind = 'P' then 'passenger' when size.kind in ('LT', 'FLOTATION', 'C') then 'light-truck' when size.kind = 'ST' then 'trailer' when size.kind = 'COMMERCIAL' then 'commercial' end)
    and (filter.supplier_code is null or exists (
      select from stock join warehouse on warehouse.id = stock.warehouse_id join supplier on supplier.id = warehouse.supplier_id
      where stock.item_id = item.id and supplier.code = filter.supplier_code))
$$;
comment on function tires_of_filter(integer) is 'The tires that a filter lets through, sold or not.';

alter table promotion
  add column filter_id integer references tire_filter,
  add constraint promotion_filter_of_many check (filter_id is null or item_id is null);
comment on column promotion.filter_id is 'Narrows its tires; null for all tires of its brand, model, or item.';
-- Few promotions have a filter, and an order asks for them.
create index promotion_filtered on promotion (filter_id) where filter_id is not null;

alter table promotion_plan
  add column filter_id integer references tire_filter,
  add column daily boolean not null default false,
  add column link_to_coverage boolean not null default false,
  add column version integer not null default 1 check (version >= 1),
  add constraint promotion_plan_filter_of_many check (filter_id is null or item_id is null),
  add constraint promotion_plan_daily_at_most_a_fifth check (not daily or kind = 'Percentage' and amount <= 20);
comment on column promotion_plan.filter_id is 'Narrows its tires; null for all tires of its brand, model, or item.';
comment on column promotion_plan.daily is 'A deal of one day.';
comment on column promotion_plan.link_to_coverage is 'Whether it points shoppers to the replacement coverage.';
comment on column promotion_plan.version is 'Rises with each change of a draft, so that a form can tell that it is out of date.';

alter table coupon
  add column filter_id integer references tire_filter,
  add column version integer not null default 1 check (version >= 1),
  add constraint coupon_filter_of_many check (filter_id is null or num_nonnulls(item_id, service) = 0);
comment on column coupon.filter_id is 'Narrows its tires; null for all tires of its brand, model, or item.';
comment on column coupon.version is 'Rises with each change of a draft, so that a form can tell that it is out of date.';

create or replace function promotion_is_never_edited() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'starts_at' - 'ends_at') <> (to_jsonb(old) - 'starts_at' - 'ends_at') then
    raise exception 'A promotion is not edited: replace it with a new version.' using errcode = 'check_violation', constraint = 'promotion_never_edited';
  end if;
  if (new.starts_at <> old.starts_at or new.ends_at > old.ends_at) and exists (select from promotion_plan where promotion_id = new.id) then
    raise exception 'A promotion only ends earlier than planned.' using errcode = 'check_violation', constraint = 'promotion_ends_earlier_only';
  end if;
  return null;
end $$;

create or replace function promotion_plan_is_never_edited() returns trigger language plpgsql as $$
declare
  is_draft boolean := old.promotion_id is null and new.promotion_id is null;
begin
  if is_draft and new.version = old.version + 1 and (new.id, new.form_key, new.replaces_id, new.created_by, new.created_at)
      is not distinct from (old.id, old.form_key, old.replaces_id, old.created_by, old.created_at) then
    return new;
  end if;
  if (to_jsonb(new) - 'promotion_id') <> (to_jsonb(old) - 'promotion_id') then
    raise exception 'A plan is edited only while it is a draft, with the next version.' using errcode = 'check_violation', constraint = 'promotion_plan_never_edited';
  end if;
  return new;
end $$;

create or replace function coupon_is_never_edited() returns trigger language plpgsql as $$
declare
  is_draft boolean := old.starts_at is null and new.starts_at is null;
begin
  if is_draft and new.version = old.version + 1 and (new.id, new.form_key, new.replaces_id, new.created_by, new.created_at)
      is not distinct from (old.id, old.form_key, old.replaces_id, old.created_by, old.created_at) then
    return null;
  end if;
  if (to_jsonb(new) - 'starts_at' - 'ends_at') <> (to_jsonb(old) - 'starts_at' - 'ends_at') then
    raise exception 'A coupon is edited only while it is a draft, with the next version.' using errcode = 'check_violation', constraint = 'coupon_never_edited';
  end if;
  if old.starts_at is null then
    return null;
  end if;
  if new.starts_at is null then
    if exists (select from coupon_use where coupon_id = old.id) then
      raise exception 'A used coupon is not withdrawn.' using errcode = 'check_violation', constraint = 'coupon_used';
    end if;
    return null;
  end if;
  if new.starts_at <> old.starts_at or new.ends_at > old.ends_at then
    raise exception 'A coupon only ends earlier than planned.' using errcode = 'check_violation', constraint = 'coupon_ends_earlier_only';
  end if;
  return null;
end $$;

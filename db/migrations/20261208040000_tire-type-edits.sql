-- Tire types and categories are added, changed, ordered and retired in the back office.
alter table tire_type
  add column version integer not null default 1 check (version >= 1),
  add column retired boolean not null default false,
  drop constraint tire_type_position_key,
  add constraint tire_type_position_key unique (position) deferrable initially immediate;
alter table category
  add column version integer not null default 1 check (version >= 1),
  add column retired boolean not null default false,
  drop constraint category_position_key,
  add constraint category_position_key unique (position) deferrable initially immediate;
comment on column tire_type.version is 'Rises with each change, so that a form can tell that it is out of date.';
comment on column tire_type.retired is 'Takes no new categories.';
comment on column category.version is 'Rises with each change, so that a form can tell that it is out of date.';
comment on column category.retired is 'Takes no new models.';

create function refuse_retired_category() returns trigger language plpgsql as $$
declare
  is_retired boolean;
begin
  select retired into is_retired from category where slug = new.category_slug for share;
  if is_retired then
    raise exception 'Category % is retired.', new.category_slug using errcode = 'check_violation', constraint = 'product_line_category_in_use';
  end if;
  return new;
end $$;
create trigger product_line_category_in_use before insert on product_line
  for each row execute function refuse_retired_category();
create trigger product_line_moved_to_category_in_use before update of category_slug on product_line
  for each row when (old.category_slug <> new.category_slug) execute function refuse_retired_category();
comment on trigger product_line_category_in_use on product_line is 'A retired category takes no new models.';
comment on trigger product_line_moved_to_category_in_use on product_line is 'A retired category takes no models of other categories.';

create function refuse_retired_tire_type() returns trigger language plpgsql as $$
declare
  is_retired boolean;
begin
  select retired into is_retired from tire_type where slug = new.type_slug for share;
  if is_retired then
    raise exception 'Tire type % is retired.', new.type_slug using errcode = 'check_violation', constraint = 'category_tire_type_in_use';
  end if;
  return new;
end $$;
create trigger category_tire_type_in_use before insert or update of type_slug, retired on category
  for each row when (not new.retired) execute function refuse_retired_tire_type();
comment on trigger category_tire_type_in_use on category is 'A category in use belongs to a tire type in use.';

create function refuse_to_retire_used_tire_type() returns trigger language plpgsql as $$
begin
  if exists (select from category where type_slug = new.slug and not retired) then
    raise exception 'Tire type % has categories in use.', new.slug using errcode = 'check_violation', constraint = 'tire_type_retired_unused';
  end if;
  return new;
end $$;
create trigger tire_type_retired_unused before update of retired on tire_type
  for each row when (new.retired and not old.retired) execute function refuse_to_retire_used_tire_type();
comment on trigger tire_type_retired_unused on tire_type is 'The categories of a tire type are retired or moved first.';

-- Staff add and change brands, models and tires by hand, retire them, and store the numbers that other systems know a tire by.
create function is_gtin(digits text) returns boolean
language sql immutable strict parallel safe
as $$
  select digits ~ '^([0-9]{8}|[0-9]{12,14})$' and (
    select sum(digit::int * case when place % 2 = 1 then 3 else 1 end) % 10 = 0
    from unnest(string_to_array(lpad(digits, 14, '0'), null)) with ordinality as each (digit, place))
$$;
comment on function is_gtin is 'Whether text is a GTIN of 8, 12, 13 or 14 digits whose last digit checks the others (GS1 General Specifications, 7.9.1).';

alter table brand add column retired boolean not null default false;
comment on column brand.retired is 'Staff took all its tires off sale.';
alter table product_line add column retired boolean not null default false;
comment on column product_line.retired is 'Staff took all its tires off sale.';

alter table item
  add column gtin text check (is_gtin(gtin)),
  add column mpn text check (length(mpn) between 1 and 70),
  add column origin_country text check (origin_country ~ '^[A-Z]{2}$'),
  add column by_hand boolean not null default false,
  add column retired boolean not null default false,
  add constraint item_gtin_key unique (gtin),
  alter column active set expression as (listed and not hidden and not retired);
comment on column item.gtin is 'The number in its bar code, in the shortest form.';
comment on column item.mpn is 'The manufacturer part number.';
comment on column item.by_hand is 'Staff added it: it stays listed although no feed names it.';
comment on column item.retired is 'Its brand or model is retired; set by triggers.';

create function retire_items() returns trigger language plpgsql as $$
begin
  -- Locked in key order, like everywhere.
  perform from item join product_line line on line.id = item.product_line_id
    where case tg_table_name when 'brand' then line.brand_id = new.id else line.id = new.id end order by item.id for no key update of item;
  if tg_table_name = 'brand' then
    update item set retired = new.retired or line.retired from product_line line
      where line.brand_id = new.id and item.product_line_id = line.id and item.retired <> (new.retired or line.retired);
  else
    update item set retired = new.retired or brand.retired from brand
      where brand.id = new.brand_id and item.product_line_id = new.id and item.retired <> (new.retired or brand.retired);
  end if;
  return null;
end $$;
create trigger retire_items after update of retired on brand for each row when (old.retired <> new.retired) execute function retire_items();
create trigger retire_items after update of retired on product_line for each row when (old.retired <> new.retired) execute function retire_items();

-- The brand and the model are locked, so that a tire that is added while they are retired is retired too.
create function item_retired() returns trigger language plpgsql as $$
begin
  select line.retired or brand.retired into new.retired from product_line line join brand on brand.id = line.brand_id
    where line.id = new.product_line_id for share;
  new.retired = coalesce(new.retired, false);
  return new;
end $$;
create trigger item_retired before insert or update of product_line_id on item for each row execute function item_retired();

alter table import_product
  add column gtin text,
  add column mpn text,
  add column origin_country text;

-- What is sold: brands, lines, items in sizes, their stock, promotions and reviews.
create table brand (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null unique,
  tier text not null check (tier in ('value', 'mid', 'premium')),
  about text not null,
  -- How the name is set where brands stand side by side: {"weight":800,"stretch":125,"spacing":0,"case":"upper"}
  wordmark jsonb not null
);

create table tire_type (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null,
  definition text not null,
  position smallint not null unique
);

create table category (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null,
  type_slug text not null references tire_type,
  definition text not null,
  position smallint not null unique
);

create table product_line (
  id integer generated always as identity primary key,
  brand_id integer not null references brand,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null,
  category_slug text not null references category,
  tread text not null check (tread in ('all-season', 'summer', 'winter', 'all-terrain', 'mud-terrain', 'all-weather', 'highway', 'trailer', 'commercial')),
  m_plus_s boolean not null,
  three_peak boolean not null,
  -- A dedicated winter line; the speed exception of the fitment rules needs it and the three-peak mark.
  winter boolean not null,
  ev boolean not null default false,
  warranty_miles integer check (warranty_miles > 0),
  about text not null,
  unique (brand_id, slug)
);
create index product_line_by_category on product_line (category_slug);

create table size (
  id integer generated always as identity primary key,
  designation text not null unique,
  slug text not null unique check (slug ~ '^[a-z0-9]+([.-][a-z0-9]+)*$'),
  kind text not null check (kind in ('P', 'LT', 'FLOTATION', 'C', 'ST', 'T', 'COMMERCIAL')),
  section_width_mm numeric(6, 2) not null check (section_width_mm > 0),
  aspect numeric(5, 2) not null check (aspect > 0),
  rim_in numeric(4, 1) not null check (rim_in > 0),
  overall_diameter_mm numeric(7, 2) not null check (overall_diameter_mm > 0)
);
create index size_by_rim on size (rim_in);

create table item (
  -- The article number a shopper sees in the address of the product.
  id integer primary key check (id > 0),
  product_line_id integer not null references product_line,
  size_id integer not null references size,
  sku text not null unique,
  load_index smallint check (load_index between 0 and 160),
  dual_load_index smallint check (dual_load_index between 0 and 160),
  speed text,
  load_class text check (load_class in ('SL', 'XL', 'HL')),
  load_range text,
  ply_rating smallint not null,
  max_load_lb integer not null check (max_load_lb > 0),
  max_psi smallint not null,
  measured_width_mm numeric(6, 2) not null,
  measured_diameter_mm numeric(7, 2) not null,
  rim_width_min_in numeric(4, 2) not null,
  rim_width_max_in numeric(4, 2) not null,
  tread_depth_32nds numeric(4, 1) not null,
  weight_lb numeric(6, 1) not null check (weight_lb > 0),
  -- Null where the law has no grade for the kind of tire (49 CFR 575.104): light truck, winter, trailer, commercial, spare.
  utqg_treadwear smallint,
  utqg_traction text,
  utqg_temperature text,
  run_flat boolean not null default false,
  sidewall text not null default 'BSW' check (sidewall in ('BSW', 'OWL', 'VSB')),
  oe_mark text,
  warranty_miles integer check (warranty_miles > 0),
  -- The oldest DOT week in stock, as the Monday of that week: an age promise rests on it.
  oldest_dot_week date,
  retail_cents integer not null check (retail_cents > 0),
  fet_cents integer not null default 0 check (fet_cents >= 0),
  active boolean not null default true,
  check (rim_width_min_in <= rim_width_max_in),
  check ((utqg_treadwear is null) = (utqg_traction is null) and (utqg_treadwear is null) = (utqg_temperature is null)),
  unique nulls not distinct (product_line_id, size_id, load_index, speed, load_class, load_range, run_flat, oe_mark, sidewall)
);
create index item_by_size on item (size_id) where active;
create index item_by_line on item (product_line_id) where active;

create table warehouse (
  id smallint primary key,
  code text not null unique,
  name text not null,
  city text not null,
  state text not null,
  zip text not null,
  latitude double precision not null,
  longitude double precision not null,
  time_zone text not null,
  -- Orders released after this local time leave on the next working day.
  cutoff time not null
);

create table stock (
  item_id integer not null references item on delete cascade,
  warehouse_id smallint not null references warehouse,
  -- Units that can still be promised. An order takes its units in the transaction that creates it.
  on_hand integer not null,
  primary key (item_id, warehouse_id),
  constraint stock_never_negative check (on_hand >= 0)
);

create table promotion (
  id integer generated always as identity primary key,
  slug text not null unique,
  name text not null,
  headline text not null,
  kind text not null check (kind in ('Flat Amount', 'Buy3Get1', 'Free', 'Percentage')),
  -- Percent for Percentage, cents per tire for Flat Amount, units for Free, 0 for Buy3Get1.
  amount integer not null check (amount >= 0),
  -- The narrowest of these that is set says what it applies to; all null means every tire.
  brand_id integer references brand,
  product_line_id integer references product_line,
  item_id integer references item,
  funded_by text not null check (funded_by in ('store', 'maker', 'lender', 'bank')),
  already_applied boolean not null default false,
  link_to_coverage boolean not null default false,
  daily boolean not null default false,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  check (starts_at < ends_at),
  check (kind <> 'Percentage' or amount between 1 and 100)
);
create index promotion_by_end on promotion (ends_at);

create table review (
  id integer generated always as identity primary key,
  product_line_id integer not null references product_line on delete cascade,
  dry smallint check (dry between 1 and 5),
  wet smallint check (wet between 1 and 5),
  winter smallint check (winter between 1 and 5),
  comfort smallint check (comfort between 1 and 5),
  noise smallint check (noise between 1 and 5),
  treadwear smallint check (treadwear between 1 and 5),
  -- The mean of the attributes given, in hundredths: 100 to 500.
  overall_hundredths smallint not null check (overall_hundredths between 100 and 500),
  summary text not null check (char_length(summary) between 1 and 80),
  comments text not null,
  author_name text not null,
  email text,
  purchased_on date,
  vehicle text not null,
  miles_driven integer not null check (miles_driven >= 0),
  driving_style text not null,
  where_used text not null,
  buy_again boolean not null,
  -- Set only when a delivered order of this line proves the purchase.
  verified_order_id bigint,
  sample boolean not null default false,
  state text not null check (state in ('waiting', 'published', 'refused')),
  helpful_count integer not null default 0 check (helpful_count >= 0),
  written_at timestamptz not null,
  check (coalesce(dry, wet, winter, comfort, noise, treadwear) is not null)
);
create index review_by_line on review (product_line_id, written_at desc) where state = 'published';
create index review_best on review (helpful_count desc) where state = 'published';

-- What published reviews add up to, kept by the trigger below and written by nothing else.
create table line_rating (
  product_line_id integer primary key references product_line on delete cascade,
  review_count integer not null,
  overall_hundredths smallint not null,
  dry_hundredths smallint,
  wet_hundredths smallint,
  winter_hundredths smallint,
  comfort_hundredths smallint,
  noise_hundredths smallint,
  treadwear_hundredths smallint,
  buy_again_percent smallint not null,
  -- Reviews with 1, 2, 3, 4, 5 stars (overall rounded half up).
  histogram integer[] not null
);

create function line_rating_refresh(line_ids integer[]) returns void language sql as $$
  delete from line_rating where product_line_id = any (line_ids);
  insert into line_rating
  select product_line_id, count(*), round(avg(overall_hundredths)),
    round(avg(dry) * 100), round(avg(wet) * 100), round(avg(winter) * 100),
    round(avg(comfort) * 100), round(avg(noise) * 100), round(avg(treadwear) * 100),
    round(avg(buy_again::int) * 100),
    array[
      count(*) filter (where overall_hundredths < 150),
      count(*) filter (where overall_hundredths between 150 and 249),
      count(*) filter (where overall_hundredths between 250 and 349),
      count(*) filter (where overall_hundredths between 350 and 449),
      count(*) filter (where overall_hundredths >= 450)]
  from review where state = 'published' and product_line_id = any (line_ids) group by product_line_id;
$$;

create function review_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform line_rating_refresh(array(select distinct product_line_id from changed));
  elsif tg_op = 'DELETE' then
    perform line_rating_refresh(array(select distinct product_line_id from gone));
  else
    perform line_rating_refresh(array(select product_line_id from changed union select product_line_id from gone));
  end if;
  return null;
end $$;
create trigger review_inserted after insert on review referencing new table as changed for each statement execute function review_changed();
create trigger review_updated after update on review referencing new table as changed old table as gone for each statement execute function review_changed();
create trigger review_deleted after delete on review referencing old table as gone for each statement execute function review_changed();

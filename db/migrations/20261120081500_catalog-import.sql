-- Supplier feeds: each run, what it staged before any of it was for sale, what was wrong with it, and what it changed, so that it can be taken back.
create table import_run (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('products', 'prices', 'stock', 'fitment')),
  -- One bad row refuses the file, or the good rows are published without it.
  mode text not null check (mode in ('all-or-nothing', 'per-row')),
  -- Everything but publishing.
  dry boolean not null,
  state text not null default 'reading' check (state in (
    'reading', 'read', 'waiting-for-yes', 'publishing', 'published', 'refused', 'checked', 'rolling-back', 'rolled-back')),
  file_name text not null,
  file_sha256 text not null check (file_sha256 ~ '^[0-9a-f]{64}$'),
  -- The last row of the file that is staged. It moves in the transaction that stages, so that every row is staged exactly once.
  read_to integer not null default 0,
  -- The last staged row that is published, where a file is published in slices.
  published_to integer not null default 0,
  row_count integer not null default 0,
  refused_count integer not null default 0,
  -- What was changed, and what asked for a yes; see the ImportSummary of domain/catalog-import.
  summary jsonb not null default '{}',
  started_at timestamptz not null,
  finished_at timestamptz,
  check (refused_count <= row_count),
  check ((finished_at is null) = (state in ('reading', 'read', 'waiting-for-yes', 'publishing')))
);
-- What was begun is finished before anything else is published.
create unique index import_one_half_done on import_run ((true)) where state in ('publishing', 'rolling-back');

create table import_problem (
  id bigint generated always as identity primary key,
  run_id integer not null references import_run on delete cascade,
  -- Counted as a spreadsheet does: the header is row 1.
  row_no integer not null,
  column_name text not null,
  value text not null,
  problem text not null,
  expected text not null
);
create index import_problem_by_row on import_problem (run_id, row_no, id);

-- One row of a table of the catalogue as a run changed it. A created row has nothing before.
create table import_change (
  run_id integer not null references import_run on delete cascade,
  entity text not null check (entity in ('brand', 'product_line', 'size', 'item', 'stock', 'vehicle', 'oe_fitment')),
  id integer not null,
  -- The second half of the key of a stock row; 0 elsewhere.
  warehouse_id smallint not null default 0,
  action text not null check (action in ('created', 'changed', 'removed')),
  -- Only the columns that changed; the whole row where it was removed.
  before jsonb,
  after jsonb,
  undone boolean not null default false,
  primary key (run_id, entity, id, warehouse_id),
  check ((before is null) = (action = 'created')),
  check (after is not null or action <> 'changed')
);
create index import_change_by_row on import_change (entity, id, warehouse_id) where not undone;

-- Staged rows. A refused row keeps only its key, which tells what not to touch for its absence.
create table import_product (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  sku text,
  brand text,
  brand_slug text,
  brand_tier text,
  brand_about text,
  line text,
  line_slug text,
  category_slug text,
  tread text,
  m_plus_s boolean,
  three_peak boolean,
  ev boolean,
  line_warranty_miles integer,
  line_about text,
  designation text,
  size_slug text,
  size_kind text,
  section_width_mm numeric(6, 2),
  aspect numeric(5, 2),
  rim_in numeric(4, 1),
  overall_diameter_mm numeric(7, 2),
  load_index smallint,
  dual_load_index smallint,
  speed text,
  load_class text,
  load_range text,
  ply_rating smallint,
  max_load_lb integer,
  max_psi smallint,
  measured_width_mm numeric(6, 2),
  measured_diameter_mm numeric(7, 2),
  rim_width_min_in numeric(4, 2),
  rim_width_max_in numeric(4, 2),
  tread_depth_32nds numeric(4, 1),
  weight_lb numeric(6, 1),
  utqg_treadwear smallint,
  utqg_traction text,
  utqg_temperature text,
  run_flat boolean,
  sidewall text,
  oe_mark text,
  warranty_miles integer,
  oldest_dot_week date,
  -- Null keeps the price of a tire that is there.
  retail_cents integer,
  fet_cents integer,
  active boolean,
  primary key (run_id, row_no),
  check (refused or (sku is not null and brand_slug is not null and line_slug is not null and size_slug is not null and active is not null))
);

create table import_price (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  sku text,
  retail_cents integer,
  primary key (run_id, row_no),
  check (refused or (sku is not null and retail_cents > 0))
);

create table import_stock (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  sku text,
  warehouse_id smallint,
  on_hand integer,
  as_of timestamptz,
  primary key (run_id, row_no),
  check (refused or (sku is not null and warehouse_id is not null and on_hand >= 0 and as_of is not null))
);

create table import_fitment (
  run_id integer not null references import_run on delete cascade,
  row_no integer not null,
  refused boolean not null,
  year smallint,
  make text,
  model text,
  trim text,
  make_slug text,
  model_slug text,
  trim_slug text,
  vclass text,
  drive text,
  front_size text,
  front_load_index smallint,
  front_speed text,
  rear_size text,
  rear_load_index smallint,
  rear_speed text,
  source text,
  primary key (run_id, row_no),
  check (refused or (year is not null and make_slug is not null and model_slug is not null and trim_slug is not null and front_size is not null and rear_size is not null))
);

-- The highest article number ever given by an import: one that was taken back is not given to another tire. One row.
create table item_number (
  only_one boolean primary key default true check (only_one),
  last integer not null check (last >= 100000)
);
insert into item_number (last) values (100000);

-- Taking back a tire asks who refers to it.
create index order_line_by_item on order_line (item_id) where item_id is not null;
create index cart_line_by_item on cart_line (item_id);
-- Counts of stock ask what was released since, or not yet.
create index sales_order_by_release on sales_order (released_at) where state <> 'cancelled';

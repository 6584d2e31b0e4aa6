-- Pictures that products feeds name by address. A job fetches them after the import is published.
alter table import_product add column picture_url text;

create table import_picture (
  id bigint generated always as identity primary key,
  run_id integer not null references import_run,
  product_line_id integer references product_line on delete cascade,
  item_id integer references item on delete cascade,
  url text not null check (length(url) between 9 and 1000),
  state text not null default 'waiting' check (state in ('waiting', 'added', 'failed')),
  attempts smallint not null default 0 check (attempts >= 0),
  due_at timestamptz not null,
  problem text check (length(problem) between 1 and 40),
  line_picture_id bigint references line_picture on delete set null,
  description text,
  position integer,
  constraint import_picture_of_line_or_item check (num_nonnulls(product_line_id, item_id) = 1),
  constraint import_picture_failed_for_reason check ((state = 'failed') = (problem is not null)),
  unique (product_line_id, url),
  unique (item_id, url)
);
comment on table import_picture is 'A picture address of an import, for a product line or one item. Each address is loaded once.';
comment on column import_picture.run_id is 'The import that named it first, or again after it failed.';
comment on column import_picture.product_line_id is 'The line, if all its rows have this address; null for a picture of one item.';
comment on column import_picture.due_at is 'When it is loaded next while it waits.';
comment on column import_picture.problem is 'Why it could not be loaded.';
comment on column import_picture.line_picture_id is 'The photo made from it; null before, if the photo was there already, and once it is removed.';
comment on column import_picture.description is 'The description of that photo as added. A rollback removes only unchanged photos.';
comment on column import_picture.position is 'The position of that photo as added.';
create index import_picture_by_run on import_picture (run_id, state, due_at);
create index import_picture_by_photo on import_picture (line_picture_id) where line_picture_id is not null;

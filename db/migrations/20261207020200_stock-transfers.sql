-- Units that staff moved from one warehouse of the store to another, each move once.
create table stock_transfer (
  id bigint generated always as identity primary key,
  submission_key uuid not null unique,
  item_id integer not null references item (id) on delete cascade,
  from_warehouse_id smallint not null references warehouse (id),
  to_warehouse_id smallint not null references warehouse (id),
  units integer not null check (units between 1 and 100000),
  note text check (length(note) between 1 and 400),
  recorded_by text not null check (length(recorded_by) between 1 and 254),
  recorded_at timestamptz not null,
  constraint stock_transfer_between_two check (from_warehouse_id <> to_warehouse_id)
);
create index stock_transfer_by_item on stock_transfer (item_id, id desc);

comment on table stock_transfer is 'Units that staff moved from one warehouse of the store to another.';

-- When a stock file last counted the tires in a warehouse, so that staff see files that stopped.
create table stock_count_time (
  warehouse_id smallint primary key references warehouse,
  counted_at timestamptz not null
);
comment on table stock_count_time is 'When a stock file last counted the tires in each warehouse.';

-- Which tires' stock changed, so that each web process can look for them twice a second instead of keeping what it read
-- for half a minute (docs/decisions/085-changes-of-stock.md).

create table stock_change (
  id bigint generated always as identity primary key,
  -- No foreign key: the stock of a tire that is deleted changes with it.
  item_id integer,
  written_by xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default now()
);
comment on table stock_change is 'Tires whose units in some warehouse changed in a way a page can show, for a quarter of an hour; each process looks for new rows.';
comment on column stock_change.item_id is 'Null where one statement changed more tires than are worth naming.';
comment on column stock_change.written_by is 'The transaction: rows become visible in the order of commits, which is not that of their ids.';
create index stock_change_by_transaction on stock_change (written_by);
create index stock_change_by_age on stock_change (changed_at);

-- A page tells of a warehouse's units only up to the most that one line of a cart may have. More before and after
-- looks the same.
create function note_stock_changes() returns trigger language plpgsql as $$
declare
  changed integer[];
  no_page_counts_to constant integer := 40;
  worth_naming constant integer := 500;
begin
  if tg_op = 'UPDATE' then
    select array_agg(distinct old_row.item_id) into changed
    from old_rows old_row join new_rows new_row using (item_id, warehouse_id)
    where old_row.on_hand <> new_row.on_hand and least(old_row.on_hand, new_row.on_hand) < no_page_counts_to;
  elsif tg_op = 'INSERT' then
    select array_agg(distinct item_id) into changed from new_rows where on_hand > 0;
  else
    select array_agg(distinct item_id) into changed from old_rows where on_hand > 0;
  end if;
  if changed is null then return null; end if;
  if cardinality(changed) > worth_naming then
    insert into stock_change (item_id) values (null);
  else
    insert into stock_change (item_id) select unnest(changed);
  end if;
  return null;
end $$;
comment on function note_stock_changes() is 'Once per statement, however many rows it changed: an import writes many.';

create trigger note_updated_stock after update on stock referencing old table as old_rows new table as new_rows
  for each statement execute function note_stock_changes();
comment on trigger note_updated_stock on stock is 'Sales, returns and corrections are seen by every process.';
create trigger note_inserted_stock after insert on stock referencing new table as new_rows
  for each statement execute function note_stock_changes();
comment on trigger note_inserted_stock on stock is 'A tire that a warehouse did not have is seen by every process.';
create trigger note_deleted_stock after delete on stock referencing old table as old_rows
  for each statement execute function note_stock_changes();
comment on trigger note_deleted_stock on stock is 'A tire that a warehouse has no longer is seen by every process.';

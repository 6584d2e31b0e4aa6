-- How long a warehouse needs before it ships an order. Changes are shown in every process within a second.
alter table warehouse add column handling_days smallint not null default 0 check (handling_days between 0 and 10);
comment on column warehouse.handling_days is 'Business days that it needs to hand an order to the carrier; 0 ships the same day until the cutoff.';

create function note_warehouse_changes() returns trigger language plpgsql as $$
begin
  -- Delivery days of any tire can change.
  insert into stock_change (item_id) values (null);
  return null;
end $$;

create trigger note_warehouse_changes after insert or update on warehouse for each statement execute function note_warehouse_changes();
comment on trigger note_warehouse_changes on warehouse is 'Every process reads delivery days again.';

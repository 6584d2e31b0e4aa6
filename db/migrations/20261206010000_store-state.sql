-- A store takes orders from shoppers only once its owner has opened it. One that has an order already is open.
create table store_state (
  id smallint primary key default 1 check (id = 1),
  is_open boolean not null,
  changed_at timestamptz,
  changed_by text check (length(changed_by) between 1 and 254),
  constraint store_state_changed_whole check ((changed_at is null) = (changed_by is null))
);
insert into store_state (is_open) select exists (select from sales_order);

create function store_state_stays() returns trigger language plpgsql as $$
begin
  raise exception 'The state of the store is not deleted.' using errcode = 'check_violation', constraint = 'store_state_stays';
end $$;
create trigger store_state_stays before delete or truncate on store_state
  for each statement execute function store_state_stays();

comment on table store_state is 'One row: whether shoppers can order. Placing an order locks it, so that none is placed once the store is closed.';
comment on column store_state.changed_at is 'Null until an owner opens or closes the store.';
comment on trigger store_state_stays on store_state is 'Without its row no order could be placed.';

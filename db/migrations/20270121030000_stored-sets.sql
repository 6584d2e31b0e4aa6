-- Sets of wheels or tires that shops store, from the end of a service with storage until the customer collects them.
create table stored_set (
  order_id bigint primary key references sales_order on delete cascade,
  shop_id integer not null references shop,
  stored_at timestamptz not null,
  -- Days on the shop's calendar; storage ends with the second one.
  stored_on date not null,
  stored_until date not null,
  place text check (length(place) between 1 and 40 and place = btrim(place)),
  reminded_at timestamptz,
  returned_at timestamptz,
  returned_by uuid references shop_member on delete set null,
  constraint stored_set_ends_later check (stored_until > stored_on),
  constraint stored_set_returned_later check (returned_at >= stored_at)
);
comment on table stored_set is 'A set that a shop stores for a customer after a service with storage.';
create index stored_set_of_shop on stored_set (shop_id, (returned_at is null), stored_until, order_id);
create index stored_set_ending on stored_set (stored_until) where returned_at is null;
create index stored_set_of_member on stored_set (returned_by);

create function stored_set_follows_its_job() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from work_order job join order_line line on line.order_id = job.order_id and line.kind = 'service'
      where job.order_id = new.order_id and job.shop_id = new.shop_id and job.state = 'done') then
      raise exception 'The set of order % is stored before its service is done.', new.order_id
        using errcode = 'check_violation', constraint = 'stored_set_follows_its_job';
    end if;
  elsif (new.order_id, new.shop_id, new.stored_at, new.stored_on, new.stored_until) is distinct from (old.order_id, old.shop_id, old.stored_at, old.stored_on, old.stored_until)
    or old.returned_at is not null and (new.place, new.returned_at) is distinct from (old.place, old.returned_at) then
    raise exception 'The storage of the set of order % is agreed or over.', new.order_id
      using errcode = 'check_violation', constraint = 'stored_set_follows_its_job';
  end if;
  return new;
end $$;
create trigger stored_set_follows_its_job before insert or update on stored_set for each row execute function stored_set_follows_its_job();
comment on trigger stored_set_follows_its_job on stored_set is 'A set is stored by its finished service. Its days stay, and nothing changes after its return.';
